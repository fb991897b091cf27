import os
import signal

def end():
    os.kill(os.getppid(), signal.SIGTERM)
