import branches


def test_branches():
    assert branches.pick(["--all", "-v", "--al"]) == ["-v", "--al", None]
    assert branches.first({}) == "none"
    assert branches.last([3, 4]) == 4
