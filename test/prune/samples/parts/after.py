import pytest
from a import b
@pytest.mark.parametrize("x", [2])
def test_parts(x):
    call(
        x,
    )
    table = {"a": 1}
    assert table["a"] + b
