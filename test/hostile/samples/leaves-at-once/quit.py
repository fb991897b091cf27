import os

def leave():
    os._exit(3)
