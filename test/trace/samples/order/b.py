import a
value = a.before


def late():
    import c
    return c.word
