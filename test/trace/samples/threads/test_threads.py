import threading
from concurrent.futures import ThreadPoolExecutor

from work import in_pool, in_thread


def test_threads():
    box = []
    thread = threading.Thread(target=in_thread, args=(box,))
    thread.start()
    thread.join()
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(in_pool, [1, 2])) == [1, 4]
    assert box == [1]
