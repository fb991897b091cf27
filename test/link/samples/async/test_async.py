import asyncio

from aio import collect, empty


def test_async():
    assert asyncio.run(collect()) == ([0, 1, 2], True)
    assert asyncio.run(empty()) == 'nothing awaited'
