import pytest


class StoreContract:
    store = None

    def make(self):
        return self.store()

    def test_is_empty(self):
        assert not self.make()

    @pytest.mark.parametrize("key", ["a", "b"])
    def test_keeps(self, key):
        store = self.make()
        assert store.setdefault(key, 1) == 1


class Ordered(StoreContract):
    def test_keeps_order(self):
        assert list(self.make()) == []


@pytest.mark.filterwarnings("default")
class TestDict(StoreContract):
    store = dict


class TestOrdered(Ordered):
    store = dict

    def test_is_empty(self):
        assert self.make() == {}


class TestLoop(TestDict):
    test_keeps = None
