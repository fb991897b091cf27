SETTINGS = {}


def level():
    SETTINGS.setdefault('level', 0)
    return SETTINGS['level']
