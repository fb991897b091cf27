from evens import even


def test_inner():
    assert even(4)
    assert not even(3)
