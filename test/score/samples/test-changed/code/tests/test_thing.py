import pytest


class TestThing:
    @pytest.mark.parametrize("a, b", [(1, 2), (2, 3)])
    def test_next(self, a, b):
        text = """
  kept as it is
"""
        assert a + 1 == b, text

        # said at the end


def helper():
    return 1
