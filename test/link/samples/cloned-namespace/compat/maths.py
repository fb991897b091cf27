from ._clone import clone

__all__ = clone("math", globals())


def double(x):
    return 2 * x
