import os
from pathlib import Path

ROOT = Path(__file__).parent


def read():
    return (ROOT / 'data' / 'a.txt').read_text()


def names():
    return sorted(os.listdir(ROOT / 'data'))


def mode():
    return os.environ.get('READER_MODE', 'plain')
