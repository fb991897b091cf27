import os
import warnings

from child import work


def test_forked():
    warnings.simplefilter('ignore')
    pid = os.fork()
    if pid == 0:
        os._exit(work(41))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42
