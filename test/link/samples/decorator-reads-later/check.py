from functools import wraps

from config import level


def checked(function):
    @wraps(function)
    def wrapper(*args):
        assert level() == 0
        return function(*args)

    return wrapper
