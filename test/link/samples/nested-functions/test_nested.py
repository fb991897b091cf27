from outerwork import outer


def test_nested():
    assert outer(1) == 2
