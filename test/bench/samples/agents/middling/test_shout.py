def shout(name):
    return name.upper()


def test_shout():
    assert shout("ada") == "ADA"
