import ctypes

def end():
    return ctypes.string_at(0)
