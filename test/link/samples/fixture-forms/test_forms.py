import pytest

from things import thing


@pytest.fixture(name='renamed')
def _inner():
    return 'r'


@pytest.fixture(scope='module', params=[1, 2])
def number(request):
    yield request.param


@pytest.fixture
def fetched():
    return 'fetched'


class TestForms:
    @pytest.fixture(scope='class', autouse=True)
    def prepared(self, request):
        request.cls.ready = True

    def test_forms(self, number, renamed, request):
        assert len(thing(number)) == number
        assert renamed == 'r'
        assert self.ready
        assert request.getfixturevalue('fetched') == 'fetched'
