"""Greets people."""
VERSION = "1.2"
UNUSED = 1
