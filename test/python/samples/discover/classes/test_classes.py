class TestCart:
    limit = 3

    def helper(self):
        pass

    def test_adds(self):
        assert self.limit

    async def test_waits(self):
        pass

    class TestInner:
        def test_deep(self):
            pass

        class TestInnermost:
            def test_deeper(self): pass

    class Helper:
        def test_not_collected(self):
            pass


class TestWithConstructor:
    def __init__(self):
        self.x = 1

    def test_not_collected(self):
        pass


class TestOptsOut:
    __test__ = False

    def test_not_collected(self):
        pass


class Cart:
    def test_not_collected(self):
        pass
