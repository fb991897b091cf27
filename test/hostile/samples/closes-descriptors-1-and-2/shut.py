import os

def shut():
    os.close(1)
    os.close(2)
