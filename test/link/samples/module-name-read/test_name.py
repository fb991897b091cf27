from app.core import name


def test_name():
    assert name() == 'app.core:1'
