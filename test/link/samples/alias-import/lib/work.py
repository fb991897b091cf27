FACTOR = 10


def compute(n):
    return n * FACTOR
