from words import words


def test_words():
    assert words() == ['tea', 'milk']
