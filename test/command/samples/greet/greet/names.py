def polite(name):
    return "Hello, " + name + "."


def shout(name):
    return name.upper() + "!"


def whisper(name):
    return name.lower()
