def test_it(one):
    assert one
