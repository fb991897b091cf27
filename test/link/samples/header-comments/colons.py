import os


def pick(items, key=lambda x: -x, size: int = 2) -> 'a: b':  # note: all of it
    if items[0:1] == [1]:  # first: one
        return sorted(items, key=key)[:size]
    elif {'a:': 1}['a:']:  # else: other
        return None
    return 1


def nothing():
    with open(os.devnull) as null:  # never: read
        pass
    for i in (lambda: [1, 2])():  # each: of two
        last = i
    return last
