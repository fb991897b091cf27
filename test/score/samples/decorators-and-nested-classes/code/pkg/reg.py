import functools


def registered(name, *, strict=False):
    def wrap(cls):
        return cls

    return wrap


@registered(
    "outer",
    strict=True,
)
class Outer(Base, metaclass=Meta):
    """Holds Inner."""

    class Inner:
        @functools.lru_cache(maxsize=None)
        @staticmethod
        def size(a, /, b: int = 1, *rest, c=(2), **more) -> "int":
            return a + b

        @property
        def name(self): return 'inner'

    class Other: pass
