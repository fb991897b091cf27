import logging

from errors import take


def test_fail():
    logging.getLogger('shop').warning('to log')
    take('cart')
