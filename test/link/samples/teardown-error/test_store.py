import pytest

from store import close, opened


@pytest.fixture
def store():
    opened.append('a')
    yield opened
    close('a')
    close('a')


def test_store(store):
    print(store)
    assert store == ['a']
