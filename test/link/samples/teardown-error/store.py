opened = []


def close(name):
    opened.remove(name)
