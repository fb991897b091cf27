from words import WORD

def test_it():
    assert len(WORD) == 1
