with open('deep.py', 'w') as out:
    for i in range(18):
        out.write('    ' * i + 'def f%d(x):\n' % i)
    out.write('    ' * 18 + 'return x\n')
    for i in reversed(range(17)):
        out.write('    ' * (i + 1) + 'return f%d(x + 1)\n' % (i + 1))
