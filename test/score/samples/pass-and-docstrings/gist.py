"""Module words."""


class Doc:
    """One and two."""

    def empty(self):
        pass

    def more(self):
        """Made up."""
        ...
