import unittest
from unittest import IsolatedAsyncioTestCase, TestCase


class Ordinary(unittest.TestCase):
    def setUp(self):
        self.x = 1

    def test_sum(self):
        self.assertEqual(self.x + 1, 2)

    @unittest.skip("later")
    def test_skipped(self):
        pass

    class TestInsideIsNotCollected:
        def test_never(self):
            pass


class Waiting(IsolatedAsyncioTestCase):
    async def test_waits(self):
        pass


class Base(TestCase):
    def test_in_base(self):
        pass


class Indirect(Base):
    def __init__(self, *args):
        super().__init__(*args)

    def test_in_child(self):
        pass


class PlainTestCase:
    def test_not_a_unittest(self):
        pass


class Derived(PlainTestCase):
    def test_not_either(self):
        pass
