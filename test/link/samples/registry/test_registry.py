import formats
from formats.base import HANDLERS


def test_registry():
    assert sorted(HANDLERS) == ['csv', 'json']
    assert HANDLERS['csv'](['a', 'b']) == 'a,b'
