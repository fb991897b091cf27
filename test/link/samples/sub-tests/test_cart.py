import unittest

from cart import Cart


def setUpModule():
    Cart.log.append('module')


class TestCart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cart = Cart()
        cls.addClassCleanup(Cart.log.clear)

    def setUp(self):
        self.addCleanup(print, 'cleaned', Cart.log)

    def tearDown(self):
        print('down')

    @unittest.skip('not now')
    def test_skipped(self):
        self.fail()

    def test_cart(self):
        for n in range(3):
            with self.subTest(n=n):
                if n == 1:
                    continue
                self.cart.add(n)
