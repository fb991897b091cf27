class Point:
    def __init__(self, x):
        self.x = x


def act(command):
    match command:
        case {'kind': 'move', 'by': (x, y)}:
            return x + y
        case [first, *rest] if first > 0:
            return rest
        case Point(x=0):
            return 'origin'
        case 'never' | b'never':
            return 'never'
        case _:
            return 'other'
