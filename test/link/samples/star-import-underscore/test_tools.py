import kit


def test_hidden():
    assert kit._hidden() == 'kit.tools'
    assert kit.shown() == 2
    assert kit.NAME == 'kit'
