import logging

log = logging.getLogger(__name__)
label = __name__ + ':1'


def name():
    return label
