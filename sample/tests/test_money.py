import pytest

from shop.money import Money


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("12.5", "€12.50"),
        ("12.505 EUR", "€12.51"),
        ("$1234.5", "$1,234.50"),
        ("7 CHF", "CHF 7.00"),
    ],
)
def test_parse_and_show(text, shown):
    assert str(Money.parse(text)) == shown


def test_currencies_do_not_mix():
    with pytest.raises(ValueError, match="cannot mix EUR and USD"):
        Money(1) + Money(1, "USD")


@pytest.mark.parametrize("rate, expected", [(10, "1.00"), (19, "1.90"), ("5.5", "0.55")])
def test_percent(rate, expected):
    assert Money(10).percent(rate) == Money(expected)


def test_order():
    assert sorted([Money(3), Money(1), Money(2)]) == [Money(1), Money(2), Money(3)]
    assert Money(2) >= Money(2)
