BASE = 4


def make_table(n):
    return list(range(n))


class Config:
    base = BASE
    double = base * 2
    table = make_table(double)

    def total(self):
        return sum(self.table)

    def unused(self):
        return self.base
