def register(registry):
    registry["lower"] = lower


def lower(text):
    return text.lower()
