from store import find


def test_fail():
    print('looking')
    find('tea')
