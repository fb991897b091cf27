from comp import named, spread


def test_comp():
    assert spread(3) == ([3, 9, 3, 3], 3)
    assert named() == ({'a': 'a', 'b': 'b'}, 'module', ((1,), {'z': 2}))
