from pkg.state import State


def test_bump():
    assert State().bump() == 1
