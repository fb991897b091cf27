import functools; flag = True

if flag: chosen = 1
else: chosen = 2


@functools.lru_cache(
    maxsize=None,
)
def cached(n): return n


def walk(n):
    try:
        if n == 0:
            raise KeyError(n)
        elif n == 1:
            yield 1
        else:
            yield n
    except KeyError:
        yield 'key'
    else:
        yield 'else'
    finally:
        n = None


def loop(items):
    while items:
        if items.pop() == 2: break
    else:
        return 'else'
    with open('/dev/null') as null: pass
    return [x for x in items]


def choose(value):
    match value:
        case 1 | 2:
            return 'few'
        case [first, *_]:
            return first
        case _:
            return None


async def coroutine():
    return await inner()


async def inner():
    return 1
