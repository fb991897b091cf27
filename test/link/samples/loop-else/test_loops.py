from loops import evens, search


def test_loops():
    assert search([1, 2], 2) == 1
    assert search([1, 2], 3) == 'exhausted'
    assert evens([1, 2]) == [2, 'end']
