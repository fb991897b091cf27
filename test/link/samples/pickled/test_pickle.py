import pickle

from geometry import Point


def test_pickle():
    assert pickle.loads(pickle.dumps(Point(3))).x == 3
