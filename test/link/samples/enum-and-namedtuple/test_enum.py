from kinds import Colour, Point, State


def test_enum():
    assert [c.short for c in Colour] == ['R', 'G']
    assert Point(1) == (1, 0)
    assert State(done=True) == {'done': True}
    assert list(State.__annotations__) == ['done']
