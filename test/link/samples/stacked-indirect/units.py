SIZES = {'small': 1, 'large': 10}


def size_of(name):
    return SIZES[name]


def label(value):
    return f'<{value}>'
