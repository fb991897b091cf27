def area(size):
    return 3.14 * size * size


def edges():
    return 0
