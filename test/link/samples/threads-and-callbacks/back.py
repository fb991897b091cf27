import functools
import threading

box = []


def work(n):
    box.append(n * 2)


def run(n):
    thread = threading.Thread(target=work, args=(n,))
    thread.start()
    thread.join()
    return box


def by_end(word):
    return (word[-1], len(word))


class Item:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n < other.n

    def __gt__(self, other):
        return self.n > other.n


@functools.lru_cache(maxsize=None)
def square(n):
    return n * n
