"""Amounts of money, exact to the cent."""

from __future__ import annotations

import functools
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£"}


@functools.total_ordering
class Money:
    """An amount in one currency; arithmetic never mixes currencies."""

    __slots__ = ("amount", "currency")

    def __init__(self, amount, currency="EUR"):
        self.amount = Decimal(str(amount)).quantize(CENT, rounding=ROUND_HALF_UP)
        self.currency = currency

    @classmethod
    def zero(cls, currency="EUR"):
        return cls(0, currency)

    @classmethod
    def parse(cls, text):
        """Reads `12.50 EUR` or `€12.50`."""
        for currency, symbol in SYMBOLS.items():
            if text.startswith(symbol):
                return cls(text[len(symbol):], currency)
        amount, _, currency = text.partition(" ")
        return cls(amount, currency or "EUR")

    def _check(self, other):
        if self.currency != other.currency:
            raise ValueError(f"cannot mix {self.currency} and {other.currency}")

    def __add__(self, other):
        self._check(other)
        return Money(self.amount + other.amount, self.currency)

    def __sub__(self, other):
        self._check(other)
        return Money(self.amount - other.amount, self.currency)

    def __mul__(self, factor):
        return Money(self.amount * Decimal(str(factor)), self.currency)

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self.amount, self.currency) == (other.amount, other.currency)

    def __lt__(self, other):
        self._check(other)
        return self.amount < other.amount

    def __hash__(self):
        return hash((self.amount, self.currency))

    def __str__(self):
        return f"{SYMBOLS.get(self.currency, self.currency + ' ')}{self.amount:,}"

    def __repr__(self):
        return f"Money('{self.amount}', '{self.currency}')"

    def percent(self, rate):
        """This many percent of the amount, rounded to the cent."""
        return self * (Decimal(str(rate)) / 100)

    def split(self, parts):
        """The amount in equal parts."""
        share = Money(self.amount / parts, self.currency)
        return [share] * parts
