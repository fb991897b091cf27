import pytest

from bank import Account


@pytest.fixture
def account(balance):
    return Account(balance + 5)
