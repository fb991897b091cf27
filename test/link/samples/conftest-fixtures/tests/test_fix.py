from bank import events


def test_fix(account):
    assert account.balance == 15
    assert events == ['setup']
