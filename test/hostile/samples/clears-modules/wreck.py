import sys

def wreck():
    sys.modules.clear()
    sys.path.clear()
    sys.meta_path.clear()
    return True
