from pkg.wipe import wipe

def test_it():
    assert wipe() is False
