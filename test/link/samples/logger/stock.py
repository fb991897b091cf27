import logging

log = logging.getLogger(__name__)


def check(item):
    log.warning('low on %s', item)
