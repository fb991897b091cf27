from . import consts


def low():
    return consts.VALUE
