"""What a customer is about to buy."""

from __future__ import annotations

from .errors import ShopError
from .money import Money


class Cart:
    def __init__(self, catalog, country="DE"):
        self.catalog = catalog
        self.country = country
        self.voucher = None
        self._counts = {}

    def add(self, sku, count=1):
        if count < 1:
            raise ShopError("a cart holds whole pieces")
        self.catalog.find(sku)
        self._counts[sku] = self._counts.get(sku, 0) + count
        return self

    def remove(self, sku, count=None):
        """Takes pieces out again: all of them where no count is given."""
        left = 0 if count is None else self._counts.get(sku, 0) - count
        if left > 0:
            self._counts[sku] = left
        else:
            self._counts.pop(sku, None)
        return self

    def lines(self):
        """Pairs of product and count, in the order they were added."""
        for sku, count in self._counts.items():
            yield self.catalog.find(sku), count

    @property
    def subtotal(self):
        total = Money.zero()
        for product, count in self.lines():
            total = total + product.price * count
        return total

    @property
    def grams(self):
        return sum(product.grams * count for product, count in self.lines())

    def merge(self, other):
        """Takes over what another cart holds, for customers who sign in late."""
        for product, count in other.lines():
            self.add(product.sku, count)
        return self
