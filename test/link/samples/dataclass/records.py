from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar


@dataclass(order=True)
class Record:
    count: ClassVar[int] = 0
    name: str
    size: int = 0
    scale: InitVar[int] = 1
    _: KW_ONLY
    tags: list = field(default_factory=list)

    def __post_init__(self, scale):
        self.size *= scale
        Record.count += 1

    def unused(self):
        return self.name
