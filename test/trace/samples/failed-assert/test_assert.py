from values import value


def test_assert():
    assert value() == 42, 'the answer'
