from unittest import mock

from shop.prices import price


def test_patch(monkeypatch):
    with mock.patch('shop.prices.fetch', return_value=2):
        assert price('tea') == 20
    monkeypatch.setattr('shop.prices.fetch', lambda item: 3)
    assert price('tea') == 30
