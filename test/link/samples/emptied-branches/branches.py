import sys

DEBUG = False
EXACT = {"--all": 0, "-v": 2, "--al": 4}


def pick(options):
    found = []
    for option in options[1:]:
        match = None
        for name, size in EXACT.items():
            if size == 0:
                if option == name:
                    match = name
            elif option.startswith(name[:size]):
                match = name
        found.append(match)
    match = None
    for name, size in EXACT.items():
        if size == 0:
            if "--alles" == name:
                match = name
        elif "--alles" == name:
            match = name
    found.append(match)
    return found


def first(table):
    try:
        return table["first"]
    except KeyError:
        if DEBUG:
            print("no first", file=sys.stderr)
    return "none"


def last(numbers):
    for number in numbers:
        if DEBUG:
            print(number)
    return number
