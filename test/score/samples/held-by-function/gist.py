@loader('pkg.state')
def pkg_state():
    import os

    COUNT = 0
    EXTRA = 1

    class State:
        def bump(self):
            return COUNT + 1


class Facade:
    def held(name):
        return name
