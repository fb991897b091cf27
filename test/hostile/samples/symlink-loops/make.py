import os

os.symlink('.', 'again')
os.symlink('b', 'a')
os.symlink('a', 'b')
os.symlink('nowhere.py', 'broken.py')
os.mkfifo('pipe.py')
