from places import has


def test_stat():
    assert has("marker.txt")
    assert not has("missing.txt")
