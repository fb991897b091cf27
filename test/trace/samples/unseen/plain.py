"""Doc."""
import inspect
import sys
import warnings


def own():
    """Own doc."""
    frame = sys._getframe()
    return frame.f_lineno, inspect.getsource(own), own.__doc__, own.__code__.co_firstlineno


def warned():
    warnings.warn('old', DeprecationWarning, stacklevel=2)


class Empty:
    """Only a docstring."""
