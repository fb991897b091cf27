import sys

def total(prices):
    if len(prices) == 0:
        # said so
        raise ValueError('*empty*')
    return sum(prices)

# tests
def test_total():
    assert total([1]) == 1
