from pkg.a import middle

from ..helpers import expected


def test_rel():
    assert middle() == expected()
