from docs import hello


def test_doc():
    assert hello() == 'Says hello.'
