from api import *


def test_star():
    assert seen() == 5
