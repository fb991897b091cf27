import pathlib


def test_write():
    pathlib.Path(__file__).with_name('out.txt').write_text('x')
