import pytest


@pytest.fixture
def name(name):
    return name + ' of tests'
