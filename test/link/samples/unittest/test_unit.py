from support import CartBase, Checks


class TestCart(Checks, CartBase):
    def test_cart(self):
        self.assertSum(self.cart, 3)
        for item in self.cart:
            with self.subTest(item=item):
                self.assertGreater(item, 0)
        self.assertEqual(self.currency, 'EUR')

    def test_empty(self):
        self.assertTrue(self.cart)
