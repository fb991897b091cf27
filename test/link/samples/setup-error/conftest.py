import pytest

from store import connect


@pytest.fixture
def store():
    yield connect('x:1')
    print('never closed')
