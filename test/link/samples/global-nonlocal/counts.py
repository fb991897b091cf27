total = 0


def add(amount):
    global total
    total += amount
    return total


def ticker():
    n = 0

    def tick():
        nonlocal n
        n += 1
        return n

    return tick
