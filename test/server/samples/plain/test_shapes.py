import unittest

import pytest


@pytest.mark.parametrize("side", [1, 2])
@pytest.mark.slow
def test_square(side):
    assert side * side


async def test_later():
    pass


class TestCircle:
    def test_area(self):
        assert 3.14


class Case(unittest.TestCase):
    def test_case(self):
        self.assertTrue(True)


def helper():
    pass
