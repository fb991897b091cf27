import abc


class Stream(abc.ABC):
    @abc.abstractmethod
    def read(self):
        """Reads."""

    @abc.abstractmethod
    def close(self):
        raise NotImplementedError


class Memory(Stream):
    def read(self):
        return 'x'

    def close(self):
        self.closed = True


class Half(Stream):
    def read(self):
        return 'y'
