with open('test_it.py', 'w') as out:
    out.write('def which(n):\n    if n == 0:\n        return 0\n')
    for i in range(1, 900):
        out.write('    elif n == %d:\n        return %d\n' % (i, i))
    out.write('    return -1\n\ndef test_it():\n    assert which(850) == 850\n')
