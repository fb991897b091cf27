import sys

def total(prices):
    if not prices:
        raise ValueError('*empty*')
    return sum(prices)

# tests
def test_total():
    assert total([1]) == 1
