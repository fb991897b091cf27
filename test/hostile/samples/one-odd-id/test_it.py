import pytest
from shop import same

@pytest.mark.parametrize('x', ["a::b[c] 'd'", "other"], ids=lambda x: x)
def test_it(x):
    assert same(x) == x
