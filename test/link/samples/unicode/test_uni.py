from uni import länge


def test_uni():
    assert länge() == 'ü🎉é'
