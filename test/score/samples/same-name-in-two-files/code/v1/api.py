import os


class Client:
    def __init__(self):
        self.old = True

    def call(self):
        return 1
