from notes import Note


def test_future():
    assert Note().size('abc') == 3
