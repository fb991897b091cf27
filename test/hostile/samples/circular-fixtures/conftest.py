import pytest

@pytest.fixture
def one(two):
    return 1

@pytest.fixture
def two(one):
    return 2
