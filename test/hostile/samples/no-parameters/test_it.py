import pytest
from shop import ROWS

@pytest.mark.parametrize('x', ROWS)
def test_it(x):
    assert x
