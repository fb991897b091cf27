import pytest


@pytest.fixture(params=['before', 'after', 'neither'])
def resource(request):
    if request.param == 'before':
        raise OSError('no resource')
    yield request.param
    if request.param == 'after':
        raise RuntimeError('not released')


def test_errors(resource):
    print('with', resource)
