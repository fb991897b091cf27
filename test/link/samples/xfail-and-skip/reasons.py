WHY = 'known'


def parse(text):
    return int(text)
