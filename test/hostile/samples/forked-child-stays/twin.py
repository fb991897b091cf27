import os
import time

def leave():
    pid = os.fork()
    if pid == 0:
        time.sleep(300)
        os._exit(0)
    return pid
