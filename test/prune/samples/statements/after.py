def helper(x):
    y = x + 1
    return y
def test_helper():
    assert helper(1) == 2
