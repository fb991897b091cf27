"""A small shop: products, carts, discounts, taxes, shipping and receipts."""

from .cart import Cart
from .catalog import Catalog, Product
from .checkout import checkout
from .money import Money

__all__ = ["Cart", "Catalog", "Money", "Product", "checkout"]
__version__ = "1.2.0"
