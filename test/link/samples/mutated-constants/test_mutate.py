from tables import TABLE, names


def test_mutate():
    assert TABLE == {'b': 2, 'c': 3, 'd': 0, 'e': 0}
    assert names == ['early', 'late']
