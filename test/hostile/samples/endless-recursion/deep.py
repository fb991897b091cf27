def down(n):
    return down(n + 1)
