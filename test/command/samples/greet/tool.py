#!/usr/bin/env python3
import sys
from greet import names

TABLE = {}
TABLE["a"] = names.polite("a")


def unused():
    return 1


print(TABLE["a"], sys.argv[1:])
print("to stderr", file=sys.stderr)
