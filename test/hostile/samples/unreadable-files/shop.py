import os

def price():
    return os.path.exists("secret.py")
