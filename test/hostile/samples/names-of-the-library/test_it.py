import queue

def test_it():
    assert queue.__name__ == "queue"
