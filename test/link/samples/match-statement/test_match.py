from commands import Point, act


def test_match():
    assert act({'kind': 'move', 'by': (1, 2)}) == 3
    assert act([1, 2, 3]) == [2, 3]
    assert act(Point(0)) == 'origin'
    assert act(Point(1)) == 'other'
