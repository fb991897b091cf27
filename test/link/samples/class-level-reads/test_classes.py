from classes import Config


def test_classes():
    assert Config().total() == 28
