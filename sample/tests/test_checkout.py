import pytest

from shop import Money, checkout
from shop.errors import CannotShip, OutOfStock, ShopError


def test_total_of_a_cart(cart):
    cart.add("B-1").add("B-2").add("B-3").add("M-1", 2)
    order = checkout(cart)
    assert order.discounts == (("three for two books", Money("8.50")),)
    assert order.shipping == Money.zero()
    assert order.total == Money("63.85")


def test_small_orders_pay_shipping(cart):
    order = checkout(cart.add("B-2"))
    assert order.shipping == Money("1.60")
    assert order.total == Money("11.55")


def test_voucher(cart):
    cart.add("M-1", 3).voucher = "welcome10"
    assert checkout(cart).total == Money("21.65")


def test_empty_cart(cart):
    with pytest.raises(ShopError, match="empty"):
        checkout(cart)


def test_stock_runs_out(cart):
    cart.add("B-2", 4)
    with pytest.raises(OutOfStock) as caught:
        checkout(cart)
    assert caught.value.left == 3


def test_nobody_ships_there(catalog, cart):
    cart.country = "JP"
    with pytest.raises(CannotShip, match="400 g to JP"):
        checkout(cart.add("B-2"))


def test_gift_cards_need_no_parcel(foreign_cart):
    assert checkout(foreign_cart.add("G-25")).total == Money(25)
