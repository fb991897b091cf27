from flood import flood

def test_it(capfd):
    with capfd.disabled():
        flood()
