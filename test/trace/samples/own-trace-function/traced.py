def target(n):
    m = n + 1
    return m
