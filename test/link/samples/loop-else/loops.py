def search(items, wanted):
    position = 0
    while position < len(items):
        if items[position] == wanted:
            break
        position += 1
    else:
        return 'exhausted'
    return position


def evens(items):
    found = []
    for item in items:
        if item % 2:
            continue
        found.append(item)
    else:
        found.append('end')
    return found
