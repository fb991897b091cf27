from sums import totals


def test_assert():
    assert totals([1, 2]) == [1, 4]
