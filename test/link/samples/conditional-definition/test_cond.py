from compat import kind, loads


def test_cond():
    assert kind() == 'new'
    assert loads('a') == ['a']
