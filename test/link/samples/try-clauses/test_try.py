from division import divide, log


def test_try():
    assert divide(4, 2) == 2
    assert divide(1, 0) is None
    assert log == ['else', 'finally', 'ZeroDivisionError', 'finally']
