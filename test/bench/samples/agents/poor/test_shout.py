def shout(name):
    print(name.upper())
    return name.upper()
