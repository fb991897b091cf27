import pytest

from pool import Pool


@pytest.fixture
def kind(kind):
    return kind + ' module'


@pytest.mark.usefixtures('pool')
class TestPool:
    @pytest.fixture
    def kind(self, kind):
        return kind + ' class'

    @pytest.mark.parametrize('n', [1, 2])
    def test_pool(self, n, kind):
        print(n, kind, self.pool.made)
        assert self.pool.made == Pool.made == 1
