import plugin
from runner import call


def test_object():
    assert call(plugin) == 'ready'
