from deep import down

def test_it():
    down(0)
