def build(client, name, value):
    result = client.send(name, value, retries=3)
    total = 1 + 2
    if result and total:
        return "ab"
    pair = result, total
    one = (result)
    text = """first
        second"""
    assert total > 1, 'too small'
    with open(name) as source, \
            open(value) as target:
        target.write(source.read())
    return pair, \
        one, \
        text


def picked(items):
    return (items[1::], items[::2], items[(0,)], [x for x in items if x])
