import sys

def flood():
    text = "x" * (1 << 20) + "\n"
    for i in range(200):
        sys.stdout.write(text)
