with open('table.py', 'w') as out:
    out.write('ROWS = [\n')
    for i in range(150_000):
        out.write('    "row %d of a table",\n' % i)
    out.write(']\n')
