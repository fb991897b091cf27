import os
import time

def daemonize():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in (0, 1, 2):
                os.close(fd)
            time.sleep(300)
        os._exit(0)
    os.wait()
    return True
