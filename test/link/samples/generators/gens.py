def nothing():
    return
    yield


def unreached(flag):
    if flag:
        yield 1


def nested(items):
    for inner in items:
        if isinstance(inner, list):
            yield from nested(inner)
        else:
            yield inner


def counter():
    total = 0
    while True:
        got = yield total
        if got is None:
            return
        total += got
