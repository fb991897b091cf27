from used import double


def test_double():
    assert double(4) == 8
