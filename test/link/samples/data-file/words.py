import pathlib

here = pathlib.Path(__file__).parent


def words():
    return (here / 'data' / 'words.txt').read_text().split()
