import pytest

from reasons import WHY, parse

pytestmark = pytest.mark.filterwarnings('ignore')


class TestM:
    @pytest.mark.xfail(reason=WHY, raises=ValueError)
    def test_m(self):
        parse('x')
