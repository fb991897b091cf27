def check_one():
    pass


def test_two():
    pass
