async def read(source, fallback):
    async with source as opened, other:
        async for line in opened:
            if (n := len(line)) > 10:
                await fallback(n)
    return [x async for x in source if (await x)]


async def read_all(source):
    async with source as opened:
        return opened


def shape(point):
    match (point):
        case 0, 0:
            return 'origin'
        case (x, y) if x == y:
            return "diagonal"
        case KEY:
            return rest
        case {"kind": const.KEY, **rest} | Point(x=-1):
            return rest


def groups():
    try:
        work()
    except (ValueError, KeyError) as group:
        log(group)
    finally:
        clean()


def more_groups():
    try:
        work()
    except* OSError:
        log()
