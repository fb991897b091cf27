def test_not_in_a_test_file():
    pass
