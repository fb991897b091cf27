from gens import counter, nested, nothing, unreached


def test_gen():
    assert list(nothing()) == []
    assert list(unreached(False)) == []
    assert list(nested([1, [2, [3]]])) == [1, 2, 3]
    running = counter()
    assert next(running) == 0
    assert running.send(5) == 5
    assert next(running, 'end') == 'end'
