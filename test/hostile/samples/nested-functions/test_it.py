from deep import f0

def test_it():
    assert f0(0) == 17
