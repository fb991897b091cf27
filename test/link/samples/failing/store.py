class ShopError(Exception):
    pass


class OtherError(Exception):
    pass


def find(name):
    try:
        return {}[name]
    except KeyError as error:
        raise ShopError(f'no {name}') from error
