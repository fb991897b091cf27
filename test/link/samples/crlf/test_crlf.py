from lines import lines


def test_crlf():
    assert lines() == ['one', 'two', '']
