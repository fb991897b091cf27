import pytest
from a import b, c, d


@pytest.mark.slow
@pytest.mark.parametrize("x", [1, 2, 3])
def test_parts(x, fixture, other):
    call(
        x,
        keyword=1,
        other=2,
    )
    table = {"a": 1, "b": 2}
    single = f(x, 1), (x, 2)
    assert table["a"] + b
