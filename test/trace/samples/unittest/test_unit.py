import unittest


class TestU(unittest.TestCase):
    def setUp(self):
        print('set up')

    def test_equal(self):
        self.assertEqual([1], [2])

    @unittest.expectedFailure
    def test_expected(self):
        self.fail('as expected')

    @unittest.skip('not now')
    def test_skipped(self):
        pass
