import pytest


class TestX:
    @pytest.mark.xfail(reason='known')
    def test_fails(self):
        raise ValueError('x')

    @pytest.mark.xfail(reason='thought so')
    def test_passes(self):
        pass

    @pytest.mark.xfail(strict=True, reason='must fail')
    def test_strict(self):
        pass

    @pytest.mark.xfail(raises=KeyError)
    def test_other_error(self):
        raise ValueError('y')

    def test_called(self):
        pytest.xfail('while running')
