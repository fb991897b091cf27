"""A test that fails, as one that comes with a bug report does: its gist fails in the same way."""

from shop import Money


def test_split_loses_no_cent():
    shares = Money(100).split(3)
    total = Money.zero()
    for share in shares:
        total = total + share
    assert total == Money(100)
