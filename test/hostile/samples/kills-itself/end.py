import os
import signal

def end():
    os.kill(os.getpid(), signal.SIGKILL)
