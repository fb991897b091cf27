import pytest

def leave():
    pytest.exit("enough")
