class Cart:
    log = []

    def add(self, n):
        if n == 2:
            raise ValueError('two')
        self.log.append(n)
