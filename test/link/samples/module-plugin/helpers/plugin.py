import pytest


def pytest_configure(config):
    config.addinivalue_line('markers', 'slow: takes long')


def pytest_generate_tests(metafunc):
    if 'level' in metafunc.fixturenames:
        metafunc.parametrize('level', ['low', 'high'])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    print('before', item.name)
    result = yield
    print('after', item.name)
    return result


@pytest.fixture
def plugged():
    return 'plugged'
