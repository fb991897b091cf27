def ask():
    return input("name? ")
