from evens import even


def odd(n):
    if n == 0:
        return False
    return even(n - 1)
