import importlib


def clone(name, namespace):
    module = importlib.import_module(name)
    names = [one for one in dir(module) if not one.startswith("_")]
    for one in names:
        namespace[one] = getattr(module, one)
    return names
