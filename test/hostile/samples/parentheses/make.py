with open('deep.py', 'w') as out:
    out.write('X = ' + '(' * 3000 + '1' + ')' * 3000 + '\n')
