class Win:
    """Two
    lines."""

    def path(self):
        text = """a
b"""
        return text
