"""Functions at module level."""
import pytest


def helper():
    def test_nested_is_not_a_test():
        pass


def test_one():
    assert True


async def test_later():
    """An async test."""
    assert True
    # a comment that belongs to the test


def testing_prefix_is_enough(): pass


def not_a_test():
    pass


def test_replaced():
    assert False


def test_replaced():
    assert True


test_value = 3


if __name__ == "__main__":
    def test_only_as_a_script():
        pass
