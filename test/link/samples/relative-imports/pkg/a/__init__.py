from .mid import middle
