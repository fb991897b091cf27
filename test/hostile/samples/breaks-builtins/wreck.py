import builtins
import json
import os
import sys

def fail(*args, **options):
    raise OSError('not any more')

def wreck():
    builtins.open = fail
    builtins.compile = fail
    builtins.__import__ = fail
    os.replace = os.getpid = os.getcwd = os.stat = fail
    json.dump = json.dumps = fail
    os.environ.clear()
    return True
