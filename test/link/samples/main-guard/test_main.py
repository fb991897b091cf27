from tool import work


def test_main():
    assert work() == 'work'
