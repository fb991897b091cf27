import hooks
import virtual_thing

def test_it():
    assert virtual_thing.NAME == "VIRTUAL_THING"
    assert hooks.Finder
