text = '''one
two
'''


def lines():
    return text.split('\n')
