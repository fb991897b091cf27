from family.parent import Parent


def test_circle():
    assert Parent().make().name == 'child'
