import os

def shut():
    os.closerange(0, 4096)
