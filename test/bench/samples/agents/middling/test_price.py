RATE = 2


def price(amount):
    return amount * RATE


def helper():
    return 1


def test_price():
    assert price(2) == 4
