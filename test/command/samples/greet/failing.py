import os
import sys

from greet.errors import NobodyError


def check(names):
    if not names:
        raise NobodyError("nobody at all")


if "--pid" in sys.argv:
    print("process", os.getpid())
else:
    check([])
