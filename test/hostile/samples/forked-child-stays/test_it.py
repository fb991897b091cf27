from twin import leave

def test_it():
    assert leave() > 0
