import asyncio


class Lock:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *error):
        self.left = True


async def numbers(n):
    for i in range(n):
        yield i


async def collect():
    async with Lock() as lock:
        found = []
        async for n in numbers(3):
            found.append(n)
    return found, lock.left


async def empty():
    return 'nothing awaited'


async def unused():
    await asyncio.sleep(1)
