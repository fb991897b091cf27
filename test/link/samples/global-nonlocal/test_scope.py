import counts
from counts import add, ticker


def test_scope():
    assert add(2) == 2
    assert add(3) == 5
    assert counts.total == 5
    tick = ticker()
    tick()
    assert tick() == 2
