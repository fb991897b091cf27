import store


def test_greeting():
    assert store.greeting() == "good morning"
