def test_by_default_only():
    pass
