"""Runs each file by pytest twice, under our line probes and under coverage.py, each time in a forked process, and prints
JSON: by file what each of them calls executable and executed. Arguments: folder of the helper, files."""
import json
import os
import sys

import coverage
import pytest

sys.dont_write_bytecode = True
helper = sys.argv[1]


def forked(work):
    there, here = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(there)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        answer = work()
        with os.fdopen(here, "w") as out:
            json.dump(answer, out)
        os._exit(0)
    os.close(here)
    with os.fdopen(there) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text or "null")


def run(file):
    folder = os.path.dirname(file)
    os.chdir(folder)
    sys.path[0] = folder
    return int(pytest.main(["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", folder, file]))


def ours(file):
    sys.path.insert(0, helper)
    from gistify_lines import Lines

    lines = Lines(file)
    lines.start()
    status = run(file)
    lines.stop()
    return dict(lines.result()[0], status=status)


def theirs(file):
    measured = coverage.Coverage(data_file=None, include=[file], config_file=False)
    measured.start()
    status = run(file)
    measured.stop()
    _, statements, _, missing, _ = measured.analysis2(file)
    return {"statements": statements, "executed": sorted(set(statements) - set(missing)), "status": status}


print(json.dumps({os.path.basename(f): [forked(lambda: ours(f)), forked(lambda: theirs(f))] for f in sys.argv[2:]}))
