import sys


def held(name):
    return name not in sys.modules


if held('pkg.base'):
    class Base:
        kind = "base"

if held('pkg.state'):
    """The state."""
    from .base import Base

    COUNT = 0

    class State(Base):
        def bump(self):
            global COUNT
            COUNT += 1
            return COUNT

from pkg.state import State


def test_bump():
    assert State().bump() == 1
