import pytest

class TestThing:
        @pytest.mark.parametrize("a, b", [(1, 2)])
        def test_next(self, a, b):
                text = """
  kept as it is
"""
                assert True
