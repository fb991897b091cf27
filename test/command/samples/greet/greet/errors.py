class NobodyError(Exception):
    pass
