from semi import Empty, both, down


def test_semi():
    assert down(5) == 1
    assert both() == 3
    assert Empty.size == 0
