__all__ = ['_hidden', 'shown', 'idle']


def _hidden():
    return __name__


def shown():
    return 2


def idle():
    return 3
