def shout(name):
    print(name.upper())
    return name.upper()


def test_shout():
    assert shout("ada") == "ADA"
