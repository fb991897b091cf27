with open('table.py', 'w') as out:
    for i in range(20_000):
        out.write('V%d = %d\n' % (i, i))
