"""From a cart to an order."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from .discounts import discounts_of
from .errors import ShopError
from .money import Money
from .shipping import shipping_cost
from .tax import included_tax

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Order:
    lines: tuple
    discounts: tuple
    shipping: Money
    tax: Money
    total: Money


def checkout(cart):
    """Prices a cart and takes its products out of the stock."""
    lines = tuple(cart.lines())
    if not lines:
        raise ShopError("the cart is empty")
    discounts = tuple(discounts_of(cart))
    total = cart.subtotal
    for label, amount in discounts:
        log.debug("discount %s: %s", label, amount)
        total = total - amount
    shipping = shipping_cost(cart.country, cart.grams, total)
    for product, count in lines:
        cart.catalog.take(product.sku, count)
    return Order(lines, discounts, shipping, included_tax(cart), total + shipping)
