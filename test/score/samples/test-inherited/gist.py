class Base:
    def test_it(self):
        assert self.value


class TestChild(Base):
    value = 1
