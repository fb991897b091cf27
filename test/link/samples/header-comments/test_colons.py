from colons import nothing, pick


def test_colons():
    assert pick([1, 2, 3]) == [3, 2]
    assert pick([]) is None
    assert nothing() == 2
