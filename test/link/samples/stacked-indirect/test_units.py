import pytest

from units import label, size_of


@pytest.fixture
def size(request):
    return size_of(request.param)


@pytest.mark.parametrize('factor', [pytest.param(1, id='once'), pytest.param(2, marks=pytest.mark.xfail(strict=True))])
@pytest.mark.parametrize('size', ['small', 'large'], indirect=True, ids=label)
def test_units(size, factor):
    print(size, factor)
    assert size * factor in (1, 10)


def test_other(request):
    assert request
