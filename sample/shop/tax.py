"""Value-added tax by country and kind of product."""

from __future__ import annotations

from .money import Money

STANDARD = {"DE": 19, "FR": 20, "IT": 22, "AT": 20, "NL": 21}
REDUCED = {"DE": 7, "FR": "5.5", "IT": 4, "AT": 10, "NL": 9}


def rate_for(product, country):
    """Percent of tax within the price; outside the union there is none."""
    if country not in STANDARD:
        return 0
    if product.is_gift_card:
        return 0
    return REDUCED[country] if product.is_book else STANDARD[country]


def included_tax(cart):
    """The tax that the prices of a cart hold."""
    total = Money.zero()
    for product, count in cart.lines():
        gross = product.price * count
        rate = float(rate_for(product, cart.country))
        total = total + (gross - gross * (100 / (100 + rate)))
    return total


def reverse_charge(country, vat_number):
    """Whether a business abroad pays the tax itself."""
    return country != "DE" and vat_number is not None and vat_number.startswith(country)
