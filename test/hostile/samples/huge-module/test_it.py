from table import ROWS

def test_it():
    assert len(ROWS) == 150_000 and "149999" in ROWS[-1]
