from check import checked


@checked
def double(number):
    return 2 * number


@checked
def unrelated(number):
    return 3 * number
