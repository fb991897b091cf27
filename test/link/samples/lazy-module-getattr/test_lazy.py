import lazy


def test_lazy():
    assert lazy.late == 42
