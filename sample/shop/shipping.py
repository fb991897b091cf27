"""Shipping: who carries a parcel, and for how much."""

from __future__ import annotations

import abc

from .errors import CannotShip
from .money import Money


class Carrier(abc.ABC):
    """Takes parcels to some countries."""

    countries: frozenset = frozenset()

    @abc.abstractmethod
    def price(self, grams): ...

    def serves(self, country, grams):
        return country in self.countries


class Letter(Carrier):
    countries = frozenset({"DE"})

    def serves(self, country, grams):
        return super().serves(country, grams) and grams <= 1000

    def price(self, grams):
        return Money("1.60") if grams <= 500 else Money("2.75")


class Parcel(Carrier):
    countries = frozenset({"DE", "AT", "FR", "IT", "NL"})

    def price(self, grams):
        kilos = -(-grams // 1000)
        return Money("3.99") + Money("0.50") * kilos


class Freight(Carrier):
    countries = frozenset({"US", "GB"})

    def price(self, grams):
        return max(Money(25), Money("0.02") * grams)


CARRIERS = [Letter(), Parcel(), Freight()]
FREE_FROM = Money(50)


def shipping_cost(country, grams, subtotal):
    """The cheapest carrier's price; nothing for large orders at home."""
    if grams == 0:
        return Money.zero()
    if country == "DE" and subtotal >= FREE_FROM:
        return Money.zero()
    prices = [carrier.price(grams) for carrier in CARRIERS if carrier.serves(country, grams)]
    if not prices:
        raise CannotShip(f"nobody ships {grams} g to {country}")
    return min(prices)
