from shapes import circle, square


def test_area():
    assert circle.area(1) == 3.14
    assert square.area(2) == 4
