import pytest

from cases import CASES


@pytest.mark.parametrize('x', CASES)
@pytest.mark.parametrize('y', [1, pytest.param(2, id='two')])
def test_params(x, y):
    assert x > y
