from __future__ import annotations
import contextlib
import pytest, asyncio


def plain(f):
    """A docstring."""
    return f


def failing(_):
    raise ValueError("no")


def make(*args):
    def deco(f):
        return f
    return deco


@plain
@make(1,
      2)
@make()
def three(a=1,
          b=2):
    x = (a +
         b); y = 3
    return x + y


class Body:
    """Doc."""
    attribute = 1

    @property
    def value(self): return self.attribute

    @plain
    class Inner: pass

    def only_doc(self):
        """Nothing else."""

    def dots(self): ...


def handlers(kind):
    try:
        if kind == 0: raise KeyError(1)
        elif kind == 1:
            raise TypeError
        elif kind == 2:
            raise IndexError
    except KeyError:
        return "key"
    except (TypeError,
            OSError) as error:
        return str(error)
    except:
        return "any"
    else:
        return "none"
    finally:
        kind += 1


def never(kind):
    try:
        raise TypeError
    except KeyError:
        pass
    except ValueError: pass
    except TypeError as error:
        del error
    for i in []:
        print(i)
    else:
        kind = 2
    while False:
        kind = 3
    while True:
        kind += 1
        if kind > 5: break
        else:
            continue
    return kind
    kind = 9


def generator():
    global state
    state = 1
    yield
    x: int
    z: int = 3
    yield z
    nothing = [
        i
        for i in range(3)
        if i
    ]
    return nothing


async def coroutine():
    async with contextlib.AsyncExitStack() as stack:
        async for i in agen():
            stack.callback(lambda: i)
    return [j async for j in agen()]


async def agen():
    yield 1
    yield 2


def recursion(n):
    return 0 if n == 0 else recursion(n - 1)


def test_all():
    assert three() == 6
    assert Body().value == 1
    assert [handlers(i) for i in range(2)] == ["key", ""]
    assert handlers(2) == "any" and handlers(5) == "none"
    with pytest.raises(ValueError):
        @plain
        @failing
        @make()
        def g(): pass
    with pytest.raises(ValueError):
        @plain
        @failing(1)
        @make()
        class G: pass
    with pytest.raises(NameError):
        @undefined_name
        def h(): pass
    never(1)
    assert list(generator()) == [None, 3]
    asyncio.run(coroutine())
    assert recursion(700) == 0
    with contextlib.suppress(ZeroDivisionError), \
            contextlib.nullcontext():
        1 / 0
        print("never")
    s = """multi
line"""; t = 2
    lam = lambda: (
        1)
    if s: pass
    assert t == 2, \
        "message"
    assert (
        lam() == 1
    )
    try:
        with pytest.raises(KeyError): {}["x"]
    finally:
        t = 4


class TestC:
    @pytest.mark.parametrize("x", [
        1, 2])
    def test_m(self, x): assert x
    @staticmethod
    def s(): return 1
