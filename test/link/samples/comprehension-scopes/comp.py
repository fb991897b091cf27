x = 'module'


def spread(x):
    last = None
    if any((last := n) > 2 for n in [1, 2, 3, 4]):
        pass
    return [y := x, y ** 2, *(x for _ in range(2))], last


def named():
    return {x: x for x in 'ab'}, x, (lambda *x, **y: (x, y))(1, z=2)
