def take():
    return bytearray(1 << 60)
