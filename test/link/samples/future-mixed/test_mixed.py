from eager import types
from lazy import build


def test_mixed():
    hints, raw = types()
    assert hints == {'count': int, 'label': str}
    assert raw == {'count': int, 'label': str}
    assert build(list) == []
