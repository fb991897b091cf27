from zoo import Animal


def test_subs():
    assert Animal.known == ['Wolf', 'Cat']
