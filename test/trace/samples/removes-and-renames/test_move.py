import os


def test_move():
    folder = os.path.dirname(__file__)
    os.replace(os.path.join(folder, 'here.txt'), os.path.join(folder, 'there.txt'))
