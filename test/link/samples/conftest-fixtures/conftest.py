import pytest

from bank import Account, events


@pytest.fixture
def balance():
    return 10


@pytest.fixture
def account(balance):
    return Account(balance)


@pytest.fixture(autouse=True)
def noted():
    events.append('setup')
    yield
    events.append('teardown')


@pytest.fixture
def unused():
    return None
