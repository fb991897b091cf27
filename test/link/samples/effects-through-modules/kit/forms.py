from kit import registry


def sides(name):
    return registry.SIDES[name]
