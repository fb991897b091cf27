import os


class Client:
    def __init__(self):
        self.new = True

    def call(self):
        return 1
