import os

from app import discovery


def test_plugins():
    folder = os.path.join(os.path.dirname(__file__), "..", "app", "plugins")
    registry = discovery.discover(os.path.normpath(folder))
    assert sorted(registry) == ["lower", "upper"]
    assert registry["upper"]("a") + registry["lower"]("B") + discovery.BASE == "Abbase"
