class StoreError(Exception):
    pass


def connect(url):
    raise StoreError('no store at ' + url)
