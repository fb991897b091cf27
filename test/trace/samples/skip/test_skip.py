import sys

import pytest


@pytest.fixture
def missing():
    pytest.skip('no fixture today')


class TestS:
    @pytest.mark.skip(reason='by mark')
    def test_mark(self):
        pass

    @pytest.mark.skipif(sys.version_info > (3,), reason='by condition')
    def test_condition(self):
        pass

    def test_inside(self):
        pytest.skip('while running')

    def test_fixture(self, missing):
        pass
