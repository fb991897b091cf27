def work(n):
    return n + 1


def never(n):
    return n - 1
