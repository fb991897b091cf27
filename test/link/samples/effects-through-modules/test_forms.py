from kit import forms, shapes


def test_sides():
    assert forms.sides('triangle') == 3
    assert shapes.KNOWN == {'square': 4}
