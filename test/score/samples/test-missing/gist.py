import pytest


class TestThing:
    value = 1
