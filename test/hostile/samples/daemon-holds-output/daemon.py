import os
import subprocess
import sys
import time

def daemonize():
    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'], start_new_session=True)
    return child.pid
