import pytest

from pool import Pool


@pytest.fixture(scope='class')
def pool(request):
    request.cls.pool = Pool()
    yield request.cls.pool
    print('pool ends', Pool.made)


@pytest.fixture
def kind():
    return 'outer'
