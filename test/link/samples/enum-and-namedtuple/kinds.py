import enum
import typing


class Colour(enum.Enum):
    RED = enum.auto()
    GREEN = enum.auto()

    @property
    def short(self):
        return self.name[0]


class Point(typing.NamedTuple):
    x: int
    y: int = 0


class State(typing.TypedDict):
    done: bool
