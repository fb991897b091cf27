import pkgutil


def greeting():
    return pkgutil.get_data("store", "texts/greeting.txt").decode().strip()
