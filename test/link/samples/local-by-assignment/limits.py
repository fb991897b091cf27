limit = 10


def current(lower):
    if lower:
        limit = 3
    return limit
