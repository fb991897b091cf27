# All tests of one file run in one process: each one's outcome, time, calls and files touched go out as soon as it is
# over, one JSON line each, so that a crash or a limit loses no more than the test that was running.
import json
import os
import signal
import time

import pytest

from gistify_plugin import Plugin


class TooSlow(BaseException):
    pass


class Survey(Plugin):
    def __init__(self, spec, probes):
        Plugin.__init__(self, spec, None)
        self.survey, self.pid = probes, os.getpid()
        self.leave_out, self.limit = set(spec["leaveOut"]), spec["limit"]
        self.out = open(spec["events"], "w", encoding="utf-8", errors="surrogatepass")

    def emit(self, **event):
        if os.getpid() == self.pid:
            self.out.write(json.dumps(event) + "\n")
            self.out.flush()

    def pytest_collectreport(self, report):
        if report.failed:
            self.emit(kind="uncollected", place=report.nodeid, words=str(report.longrepr))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session, config, items):
        items[:] = [item for item in items if item.nodeid not in self.leave_out]
        if self.spec["reverse"]:
            items.reverse()

    def pytest_collection_finish(self, session):
        self.emit(kind="collected", items=[[i.nodeid, isinstance(i, pytest.Function)] for i in session.items])

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        probes = self.survey
        self.emit(kind="started", id=item.nodeid)
        probes.take()
        before, start = probes.calls(), time.perf_counter()
        previous = signal.signal(signal.SIGALRM, self.late)
        signal.setitimer(signal.ITIMER_REAL, self.limit)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
        seconds, name = time.perf_counter() - start, "::".join(item.nodeid.split("::")[1:])
        phases = self.tests.pop(name, [])
        self.order[:] = []
        self.failures.clear()
        root = len(probes.root) + 1
        calls = probes.calls() - before
        touched = [probes.real(file.path)[root:].replace(os.sep, "/") for file, hits in zip(probes.files, probes.take()) if any(hits)]
        self.emit(kind="done", id=item.nodeid, phases=phases, calls=calls, files=touched, seconds=round(seconds, 4))

    def late(self, number, frame):
        raise TooSlow("not over after %g s" % self.limit)

    def finish(self, code):
        self.emit(kind="end", exitCode=code)
