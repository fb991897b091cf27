state = 'ready'


def start():
    return state


def stop():
    return None
