import os
import sys

# A comment of its own.
LIMIT = 3
UNUSED = os.sep


def helper(x):
    """Says nothing that is needed."""
    y = x + 1
    z = y * 2
    return y


class Shop:
    name = "shop"

    def open(self):
        pass

    def close(self):
        self.open()


def test_helper():
    shop = Shop()
    shop.close()
    assert helper(1) == 2
