a = 1; b = 2; c = 3
unused = 4; also = 5


def down(n):
    found = None
    while n > 2: n -= 1
    if n > 0: n -= 1; found = n
    else: found = -1
    return found


def both(): x = a; return x + b


class Empty: size = 0; name = 'e'
