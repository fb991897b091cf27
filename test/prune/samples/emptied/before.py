class Base:
    def one(self): return 1
    def two(self):
        first = 1; second = 2
        return first


def guarded(x):
    if x:
        print(x)
    for i in range(3): print(i)


def test_emptied():
    assert Base
    assert guarded
