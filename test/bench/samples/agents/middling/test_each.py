import pytest

from shop.prices import price


@pytest.mark.parametrize("amount", [1, 3])
def test_each(amount):
    assert price(amount) == 2 * amount
