from wreck import wreck

def test_it():
    assert wreck()
