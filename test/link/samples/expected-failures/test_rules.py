import pytest

from rules import RuleError, check


@pytest.mark.parametrize(
    'n',
    [
        pytest.param(3, marks=pytest.mark.xfail(raises=RuleError, strict=True)),
        pytest.param(4, marks=pytest.mark.xfail(raises=KeyError)),
        pytest.param(1, marks=pytest.mark.xfail(strict=True, reason='thought to fail')),
        pytest.param(2, marks=pytest.mark.xfail(reason='thought to fail')),
        pytest.param(0, marks=pytest.mark.skipif(True, reason='never')),
        pytest.param(0, marks=pytest.mark.xfail(run=False)),
    ],
)
def test_rules(n):
    assert check(n) == n
