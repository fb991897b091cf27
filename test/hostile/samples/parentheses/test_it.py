from deep import X

def test_it():
    assert X == 1
