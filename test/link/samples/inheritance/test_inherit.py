from model import Derived
from model.meta import Meta


def test_inherit():
    both = Derived(1) + Derived(2)
    assert both == Derived(3)
    assert list(both) == [0, 1, 2]
    assert both.describe() == 'n=3!'
    assert Meta.made == ['Base', 'Derived']
