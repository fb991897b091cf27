from words import WORD

def test_it():
    assert WORD
