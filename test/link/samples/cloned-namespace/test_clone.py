from compat import maths


def namespace_of(x):
    return maths


def test_clone():
    xp = namespace_of(1)
    assert xp.sqrt(16) == 4.0
    assert xp.double(4) == 8
