import os
import subprocess
import sys


def test_child():
    write = 'import pathlib; pathlib.Path("made.txt").write_text("x")'
    subprocess.run([sys.executable, '-c', write], cwd=os.path.dirname(__file__), check=True)
