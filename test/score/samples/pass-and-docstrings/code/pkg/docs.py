"""Module words."""


class Doc:
    """One
    and two.
    """

    def empty(self):
        """Says nothing."""

    def more(self):
        raise NotImplementedError
