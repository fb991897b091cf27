import pytest

RATE = 2


def price(amount):
    return amount * RATE


@pytest.mark.parametrize("amount", [1, 3])
def test_each(amount):
    assert price(amount) == 2 * amount
