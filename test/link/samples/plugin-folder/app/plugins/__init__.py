"""Each module here may register a plugin."""
