import pytest


@pytest.fixture
def name():
    return 'root'
