def __getattr__(name):
    if name == 'late':
        return 42
    raise AttributeError(name)
