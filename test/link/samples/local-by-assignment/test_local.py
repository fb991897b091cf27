from limits import current


def test_local():
    assert current(False) == 10
