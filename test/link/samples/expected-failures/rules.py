class RuleError(ValueError):
    pass


def check(n):
    if n > 2:
        raise RuleError(n)
    return n
