import os
import tempfile

def move():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)
    try:
        return os.getcwd()
    except FileNotFoundError:
        return 'gone'
