"""What can go wrong in a shop."""


class ShopError(Exception):
    """Base of all errors of the shop."""


class UnknownProduct(ShopError):
    def __init__(self, sku):
        super().__init__(f"no product {sku!r} in the catalog")
        self.sku = sku


class OutOfStock(ShopError):
    def __init__(self, sku, wanted, left):
        super().__init__(f"{wanted} of {sku!r} wanted, {left} left")
        self.sku = sku
        self.wanted = wanted
        self.left = left


class InvalidVoucher(ShopError):
    """A voucher code that the shop does not know, or that has run out."""


class CannotShip(ShopError):
    """No carrier takes this parcel to that country."""
