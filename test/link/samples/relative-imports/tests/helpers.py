def expected():
    return 107
