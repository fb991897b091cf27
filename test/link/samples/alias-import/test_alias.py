from lib.work import compute as c
import lib.more as helpers


def test_alias():
    assert c(2) == 20
    assert helpers.double(3) == 6
