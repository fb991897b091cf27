import unittest


class Checks:
    def assertSum(self, items, total):
        self.assertEqual(sum(items), total)


class CartBase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.currency = 'EUR'

    def setUp(self):
        self.cart = [1, 2]
        self.addCleanup(self.cart.clear)
