"""Receipts as text."""

from __future__ import annotations

import json

WIDTH = 40


def _row(label, amount, sign=""):
    price = f"{sign}{amount}"
    return f"{label:<{WIDTH - len(price)}}{price}"


def as_text(order):
    """The receipt that is printed and put into the parcel."""
    rows = []
    for product, count in order.lines:
        rows.append(_row(f"{count} x {product.name}", product.price * count))
    for label, amount in order.discounts:
        rows.append(_row(label, amount, sign="-"))
    if order.shipping.amount:
        rows.append(_row("shipping", order.shipping))
    rows.append("-" * WIDTH)
    rows.append(_row("total", order.total))
    rows.append(_row("of which tax", order.tax))
    return "\n".join(rows)


def as_json(order):
    """The receipt for machines."""
    return json.dumps(
        {
            "lines": [{"sku": product.sku, "count": count} for product, count in order.lines],
            "discounts": {label: str(amount.amount) for label, amount in order.discounts},
            "total": str(order.total.amount),
        },
        sort_keys=True,
    )
