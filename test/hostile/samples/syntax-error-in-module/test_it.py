import shop

def test_it():
    pass
