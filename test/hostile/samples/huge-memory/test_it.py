from hoard import take

def test_it():
    assert take()
