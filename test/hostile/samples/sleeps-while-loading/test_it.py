import spin

def test_it():
    pass
