import pytest
from shop import same

@pytest.mark.parametrize('x', ["a::b", "[c]", "d]e[", "f g", "it's", 'say "no"', "naïve ☃", "a/b\\c", ""], ids=lambda x: x)
def test_it(x):
    assert same(x) == x
