from model.meta import Meta


class Base(metaclass=Meta):
    __slots__ = ('n',)

    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return type(self)(self.n + other.n)

    def __eq__(self, other):
        return self.n == other.n

    def __iter__(self):
        return iter(range(self.n))

    def describe(self):
        return 'n=%d' % self.n

    def unused(self):
        return None
