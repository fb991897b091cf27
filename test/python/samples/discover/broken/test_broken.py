def test_before():
    pass


def test_typing():
    x = foo.


@a.b(
def test_next():
    pass


class TestAfter:
    def test_after(self):
        pass
