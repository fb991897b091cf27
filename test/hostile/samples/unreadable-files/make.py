import os

open('secret.py', 'w').write('X = 1\n')
os.chmod('secret.py', 0)
os.mkdir('closed')
open('closed/hidden.py', 'w').write('X = 1\n')
os.chmod('closed', 0)
