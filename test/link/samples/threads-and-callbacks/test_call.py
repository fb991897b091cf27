from back import Item, by_end, run, square


def test_call():
    assert run(2) == [4]
    assert sorted(['ab', 'ba'], key=by_end) == ['ba', 'ab']
    assert [x.n for x in sorted([Item(2), Item(1)])] == [1, 2]
    assert square(3) == square(3) == 9
