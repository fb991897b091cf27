from ask import ask

def test_it():
    assert ask() == "x"
