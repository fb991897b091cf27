import pytest


@pytest.mark.slow
def test_plugin(level, plugged):
    print(level, plugged)
