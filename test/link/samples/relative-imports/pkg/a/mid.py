from ..b.low import low
from .. import VERSION


def middle():
    return low() + VERSION
