from model.base import Base


class Derived(Base):
    def describe(self):
        return super().describe() + '!'
