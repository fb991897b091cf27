import functools

import pytest
from pytest import fixture, mark


@pytest.mark.parametrize("a, b", [
    (1, 2),
    (3, 4),
])
@pytest.mark.slow
def test_many(a, b):
    assert a < b


@mark.parametrize("n", range(3))
async def test_many_later(n):
    pass


@pytest.mark.skip(reason="later")
# a comment between
def test_marked():
    pass


@fixture
def test_data():
    return 1


@pytest.fixture(scope="module")
def test_more_data():
    return 2


@pytest.mark.parametrize("size", [1, 2])
class TestSizes:
    def test_size(self, size):
        assert size

    @staticmethod
    def test_static(size):
        assert size


class TestMarked:
    pytestmark = [pytest.mark.slow, pytest.mark.parametrize("x", [1])]

    @functools.lru_cache(maxsize=None)
    def test_x(self, x): assert x
