"""Carts."""
import os
from shop.money import (
    euro,
)

LIMIT = 3 if os.sep else 4


class Cart:
    kind = 'cart'

    def __init__(self):
        self.items = []

    def add(self, price):
        if price < 0:
            raise ValueError(price)
        self.items.append(euro(price))

    def unused(self):
        return None
