def dumps(x):
    return "ours"
