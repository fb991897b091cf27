def fill(path):
    with open(path, 'wb') as out:
        for i in range(1 << 20):
            out.seek(1 << 30, 1)
            out.write(b'x')
