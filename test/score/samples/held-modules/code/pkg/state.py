"""The state."""
from . import base
from .base import Base

COUNT = 0


class State(Base):
    def bump(self):
        global COUNT
        COUNT += 1
        return COUNT
