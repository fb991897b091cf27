from __future__ import annotations


def build(kind: Nothing):
    return kind()
