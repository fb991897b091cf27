def test_super(name):
    assert name == 'root of tests'
