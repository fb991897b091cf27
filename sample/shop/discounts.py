"""Discounts: rules that register themselves and say what they take off a cart."""

from __future__ import annotations

from .errors import InvalidVoucher
from .money import Money

RULES = []


def rule(label):
    """Registers a function from cart to amount under a label."""

    def register(function):
        RULES.append((label, function))
        return function

    return register


@rule("three for two books")
def books_three_for_two(cart):
    prices = []
    for product, count in cart.lines():
        if product.is_book:
            prices.extend([product.price] * count)
    prices.sort(reverse=True)
    off = Money.zero()
    for price in prices[2::3]:
        off = off + price
    return off


@rule("bulk")
def bulk(cart):
    off = Money.zero()
    for product, count in cart.lines():
        if count >= 10 and not product.is_gift_card:
            off = off + (product.price * count).percent(5)
    return off


VOUCHERS = {
    "WELCOME10": lambda subtotal: subtotal.percent(10),
    "FIVER": lambda subtotal: min(Money(5), subtotal),
    "SUMMER": None,
}


def voucher_discount(code, subtotal):
    """What a voucher takes off; a code that has run out is an error."""
    try:
        discount = VOUCHERS[code.strip().upper()]
    except KeyError:
        raise InvalidVoucher(f"unknown voucher {code!r}") from None
    if discount is None:
        raise InvalidVoucher(f"voucher {code!r} has run out")
    return discount(subtotal)


def discounts_of(cart):
    """All that applies to a cart, as pairs of label and amount."""
    found = [(label, function(cart)) for label, function in RULES]
    if cart.voucher is not None:
        found.append((f"voucher {cart.voucher}", voucher_discount(cart.voucher, cart.subtotal)))
    return [(label, amount) for label, amount in found if amount > Money.zero()]
