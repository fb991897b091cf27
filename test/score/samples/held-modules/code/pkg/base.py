class Base:
    kind = "base"
