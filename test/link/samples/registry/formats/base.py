HANDLERS = {}


def register(name):
    def add(function):
        HANDLERS[name] = function
        return function
    return add


def unrelated():
    return None
