import a
import b


def test_order():
    assert b.late() == 'c'
