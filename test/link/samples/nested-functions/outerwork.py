def outer(n):
    def inner(n):
        return n + 1

    def never(n):
        return n - 1

    class Local:
        value = inner(n)

        def get(self):
            return self.value

        def unused(self):
            return never(self.value)

    return Local().get()
