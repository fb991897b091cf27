from flood import flood

def test_it():
    flood()
