def register(registry):
    registry["upper"] = upper


def upper(text):
    return text.upper()


def unused(text):
    return text
