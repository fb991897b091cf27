class Base:
    def two(self):
        second = 2
def guarded(x):
    if x: pass
def test_emptied():
    assert Base
    assert guarded
