import typing


class Row:
    count: int
    label: str


def types():
    return typing.get_type_hints(Row), Row.__annotations__
