from shop import Cart


def test_phases():
    cart = Cart()
    for price in (1, 2):
        cart.add(price)
    assert cart.items == ['1 EUR', '2 EUR']


def test_other():
    assert not Cart().items
