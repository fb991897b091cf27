from records import Record


def test_data():
    made = Record('a', 2, 3, tags=['x'])
    assert repr(made) == "Record(name='a', size=6, tags=['x'])"
    assert Record.count == 1
