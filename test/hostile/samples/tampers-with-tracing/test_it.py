import sys
from spy import seen, spy, target

def test_it():
    assert spy(target) == 3
    print('target' in seen, sys.gettrace())
