from store import store

def test_it():
    assert store() == 1
