__all__ = ['seen', 'unseen']
_base = 5


def seen():
    return _base


def unseen():
    return -1
