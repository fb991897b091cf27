import pytest

from streams import Half, Memory


def test_abc():
    assert Memory().read() == 'x'
    with pytest.raises(TypeError):
        Half()
