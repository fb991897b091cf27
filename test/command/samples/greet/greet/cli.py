import argparse
import json
import random

from . import VERSION
from .names import polite, shout
from .errors import NobodyError


def parser():
    made = argparse.ArgumentParser(description="greets people")
    made.add_argument("name", nargs="?")
    made.add_argument("--loud", action="store_true")
    made.add_argument("--names", help="a JSON file of names")
    made.add_argument("--out")
    made.add_argument("--version", action="version", version=VERSION)
    return made


def main(argv=None):
    options = parser().parse_args(argv)
    names = [options.name] if options.name else []
    if options.names:
        with open(options.names) as file:
            names += json.load(file)
    if not names:
        raise NobodyError("nobody to greet")
    greet = shout if options.loud else polite
    lines = [greet(name) for name in names]
    if options.out:
        with open(options.out, "w") as file:
            file.write("\n".join(lines))
        return 3
    print(*lines, sep="\n")
    print("lucky number", random.randint(1, 100))
    return 0
