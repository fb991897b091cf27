"""Products and where they are looked up."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field

from .errors import OutOfStock, UnknownProduct
from .money import Money


@dataclass(frozen=True)
class Product:
    sku: str
    name: str
    price: Money
    grams: int = 0
    tags: tuple = field(default=())

    @property
    def is_book(self):
        return "book" in self.tags

    @property
    def is_gift_card(self):
        return "gift-card" in self.tags


class Catalog:
    """The products of the shop and how many of each are left."""

    def __init__(self, products=()):
        self._products = {}
        self._stock = {}
        for product in products:
            self.add(product)

    @classmethod
    def from_csv(cls, text):
        """Reads rows of `sku,name,price,grams,tags,stock`."""
        catalog = cls()
        for row in csv.DictReader(io.StringIO(text)):
            product = Product(
                sku=row["sku"],
                name=row["name"],
                price=Money.parse(row["price"]),
                grams=int(row["grams"] or 0),
                tags=tuple(filter(None, row["tags"].split(" "))),
            )
            catalog.add(product, stock=int(row["stock"]))
        return catalog

    def add(self, product, stock=100):
        self._products[product.sku] = product
        self._stock[product.sku] = stock

    def find(self, sku):
        try:
            return self._products[sku]
        except KeyError:
            raise UnknownProduct(sku) from None

    def take(self, sku, count):
        """Takes `count` pieces out of the stock."""
        left = self._stock[sku]
        if count > left:
            raise OutOfStock(sku, count, left)
        self._stock[sku] = left - count

    def search(self, word):
        """Products whose name or tags hold the word."""
        word = word.lower()
        return [
            product
            for product in self._products.values()
            if word in product.name.lower() or word in product.tags
        ]

    def __len__(self):
        return len(self._products)
