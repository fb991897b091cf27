import pytest

def test_it():
    with pytest.raises(SyntaxError):
        import shop
