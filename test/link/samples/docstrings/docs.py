"""Module about greetings."""


def hello():
    """Says hello."""
    return hello.__doc__
