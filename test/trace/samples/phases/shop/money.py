def euro(n):
    """Formats."""
    return f'{n} EUR'


def dollar(n):
    return f'{n} USD'


SAMPLE = euro(1)
