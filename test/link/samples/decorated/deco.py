import functools

calls = []


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        calls.append(function.__name__)
        return function(*args)
    return wrapper


def scaled(
    *,
    by,
):
    def around(function):
        @functools.wraps(function)
        def wrapper(*args):
            return by * function(*args)
        return wrapper
    return around


@logged
@scaled(
    by=2,
)
def add(a, b):
    return a + b


class Box:
    def __init__(self, side):
        self.side = side

    @property
    def volume(self):
        return self.side ** 3

    @staticmethod
    def unit():
        return Box.of(1)

    @classmethod
    def of(cls, side):
        return cls(side)

    @property
    def idle(self):
        return None
