import os
import time
from pathlib import Path

import pytest

from shop.names import shout
from shop.prices import price


def test_price():
    assert price(2) == 4


@pytest.mark.parametrize("amount", [1, 3])
def test_each(amount):
    assert price(amount) == 2 * amount


def test_shout():
    assert shout("ada") == "ADA"


def test_fails():
    assert price(1) == 3


@pytest.mark.skip(reason="not today")
def test_skipped():
    assert False


@pytest.mark.xfail(reason="known")
def test_expected():
    assert price(1) == 3


def test_slow():
    time.sleep(60)


def test_flaky():
    print("process", os.getpid())


def test_place():
    assert Path(__file__).parent.parent.name == "shop"


def test_crashes():
    os._exit(3)


def test_after_the_crash():
    assert shout("b") == "B"
