import os

HERE = os.path.dirname(__file__)
WORDS = len(open(os.path.join(HERE, "data", "other.txt")).read().split())


def has(name):
    return os.path.isfile(os.path.join(HERE, "data", name))
