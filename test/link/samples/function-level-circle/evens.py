def even(n):
    from odds import odd
    if n == 0:
        return True
    return odd(n - 1)
