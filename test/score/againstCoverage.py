"""Compares our executable lines with coverage.py's over the given number of files of the standard library and of this
environment, picked evenly; prints JSON: the version, how many files agree, and every difference."""
import glob
import json
import os
import sys
import sysconfig
import warnings

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")

import coverage
from coverage.config import DEFAULT_EXCLUDE
from coverage.parser import PythonParser
from coverage.python import get_python_source
from executable_lines import executable_lines

count = int(sys.argv[2])
exclude = "|".join("(?:%s)" % pattern for pattern in DEFAULT_EXCLUDE)
found = []
for root in sorted({sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")}):
    files = sorted(glob.glob(os.path.join(glob.escape(root), "**", "*.py"), recursive=True))
    files = [file for file in files if 2000 < os.path.getsize(file) < 60000]
    found += files[:: max(1, 2 * len(files) // count)]
agree, statements, differences = 0, 0, {}
for file in found:
    text = get_python_source(file)
    parser = PythonParser(text=text, filename=file, exclude=exclude)
    try:
        parser.parse_source()
    except Exception:  # a file for another Python, or a test of bad syntax
        continue
    ours, first_of = executable_lines(text, file)
    statements += len(ours)
    if ours == parser.statements and {line: parser.first_line(line) for line in first_of} == first_of:
        agree += 1
    else:
        differences[file] = sorted(ours ^ parser.statements)
print(json.dumps({"version": coverage.__version__, "agree": agree, "statements": statements, "differences": differences}))
