import unittest


def check_total():
    pass


def test_not_by_these_rules():
    pass


def it_adds():
    pass


class CartSpec:
    def check_add(self):
        pass

    def test_not_by_these_rules(self):
        pass


class TestNotByTheseRules:
    def check_add(self):
        pass


class Cart(unittest.TestCase):
    def test_always_by_unittest_rules(self):
        pass

    def check_not(self):
        pass
