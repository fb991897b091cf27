class Meta(type):
    made = []

    def __new__(mcs, name, bases, space):
        mcs.made.append(name)
        return super().__new__(mcs, name, bases, space)
