class Animal:
    known = []

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.known.append(cls.__name__)


class Wolf(Animal):
    pass


class Cat(Animal):
    pass
