import logging

from stock import check


def test_log(caplog):
    with caplog.at_level(logging.INFO):
        check('tea')
    assert caplog.record_tuples == [('stock', logging.WARNING, 'low on tea')]
