import math


class Circle:
    def __init__(self, radius):
        self.side = side
        self.radius = radius

    def area(self):
        return math.pi * self.radius**2


class Square:
    def double(value):
        return value * 2


def area(self):
    return self.side**2


return value * 2
LIMIT = 3
