RATE = 2


def price(amount):
    return amount * RATE


def test_price():
    assert price(2) == 4
