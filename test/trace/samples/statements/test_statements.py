import asyncio

import forms


def test_statements():
    assert list(forms.walk(0)) == ['key']
    assert list(forms.walk(1)) == [1, 'else']
    assert forms.loop([1, 2]) == [1]
    assert forms.choose([5]) == 5
    assert forms.cached(1) == forms.cached(1)
    assert asyncio.run(forms.coroutine()) == 1
