with open('deep.py', 'w') as out:
    out.write('X = ' + ' + '.join(['1'] * 2000) + '\n')
    out.write('Y = "a"' + '.strip()' * 900 + '\n')
    out.write('def which(n):\n    if n == 0:\n        return 0\n')
    for i in range(1, 900):
        out.write('    elif n == %d:\n        return %d\n' % (i, i))
    out.write('    return -1\n')
