class Pool:
    made = 0

    def __init__(self):
        Pool.made += 1

    def spare(self):
        return 'spare'
