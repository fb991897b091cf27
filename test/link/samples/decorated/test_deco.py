from deco import Box, add, calls


def test_deco():
    assert add(1, 2) == 6
    assert calls == ['add']
    assert Box(2).volume == 8
    assert Box.unit().side == 1
