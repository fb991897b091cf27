import os


def test_append():
    descriptor = os.open(os.path.join(os.path.dirname(__file__), 'notes.txt'), os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, b'more')
    os.close(descriptor)
