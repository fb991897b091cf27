# Plain pytest runs, one a line of standard input ([folder, arguments]), each in a fork of this process that has
# imported pytest and nothing else: outcomes as pytest reports them, and all that the program printed itself.
import json
import os
import sys
import tempfile

import pytest


class Watch:
    def __init__(self):
        self.seen = []

    def pytest_runtest_logreport(self, report):
        crash = getattr(report.longrepr, "reprcrash", None)
        outcome = ("x" if hasattr(report, "wasxfail") else "") + report.outcome
        if report.when == "call" or outcome != "passed":
            name = report.nodeid.split("::", 1)[1]
            self.seen.append([name, report.when, outcome, crash.message if crash else ""])

    def pytest_collectreport(self, report):
        if report.failed:
            self.seen.append(["", "collect", "failed", str(report.longrepr)])


def run(folder, arguments, out):
    os.chdir(folder)
    sys.path[:] = [folder] + [place for place in sys.path if os.path.basename(place) != "generated"]
    watch = Watch()
    with tempfile.TemporaryFile() as printed:
        # pytest's own report goes nowhere: what is left is the program's.
        os.dup2(printed.fileno(), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        code = pytest.main(["-s", "-p", "no:terminal", "-p", "no:cacheprovider", *arguments], plugins=[watch])
        sys.stdout.flush()
        printed.seek(0)
        text = printed.read().decode("utf-8", "replace")
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"code": int(code), "tests": watch.seen, "stdout": text}, file)


for line in sys.stdin:
    asked = json.loads(line)
    handle, out = tempfile.mkstemp()
    os.close(handle)
    child = os.fork()
    if child == 0:
        try:
            run(*asked, out)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    with open(out, encoding="utf-8") as file:
        print(file.read() or '{"code": -1, "tests": [], "stdout": ""}', flush=True)
    os.remove(out)
