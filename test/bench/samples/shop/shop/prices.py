RATE = 2


def price(amount):
    return amount * RATE


def unused():
    return None
