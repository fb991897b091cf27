# A pytest plugin that hands over pytest's own reports: outcomes, errors and captured text, never printed text.
import os
import sys

import pytest

from gistify_outcome import describe_error, shorten


def describe(call):
    """Type, message and raising line of an exception as pytest saw it."""
    info = call.excinfo
    if info is None:
        return None
    return describe_error(info.type, info.value, info.tb if hasattr(info, "tb") else info._excinfo[2])


class Plugin:
    def __init__(self, spec, probes):
        self.spec, self.probes = spec, probes
        self.tests, self.order, self.collect, self.deselected = {}, [], [], 0
        self.failures, self.fixtures, self.config, self.import_hits, self.items = {}, [], None, None, []
        self.ini, self.plugins, self.marks = {}, [], []
        self.printed, self.foreign = {"stdout": "", "stderr": ""}, []
        self.ended = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        self.config = config
        if self.probes is None:
            return
        # pytest and its plugins declare marks too: those that are the project's own are asked for.
        self.marks, add = [str(line) for line in config.getini("markers")], config.addinivalue_line

        def addinivalue_line(name, line):
            if name == "markers" and self.probes.inside(sys._getframe(1).f_code.co_filename):
                self.marks.append(str(line))
            return add(name, line)

        config.addinivalue_line = addinivalue_line

    def pytest_internalerror(self, excinfo):
        self.end(excinfo.type, excinfo.value, excinfo.tb)

    def pytest_keyboard_interrupt(self, excinfo):
        if not isinstance(excinfo.value, pytest.Session.Interrupted):
            self.end(excinfo.type, excinfo.value, excinfo.tb)

    def end(self, kind, value, tb):
        """The whole run ended by an exception: which, and where in the codebase."""
        if self.ended is not None:
            return
        places, root = [], self.spec["root"] + os.sep
        while tb is not None:
            name = tb.tb_frame.f_code.co_filename
            places.append((name.startswith(root), "%s:%d" % (name[len(root):] if name.startswith(root) else name, tb.tb_lineno)))
            tb = tb.tb_next
        own = [place for mine, place in places if mine] or [place for _, place in places]
        place = own[-1] if own else "unknown place"
        self.ended = dict(describe_error(kind, value, None), place=place)

    def pytest_deselected(self, items):
        self.deselected += len(items)

    def pytest_collectreport(self, report):
        if report.failed:
            self.collect.append(str(report.longrepr))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector):
        # pytest hands over no report of a file from which single tests are asked for, but makes one.
        outcome = yield
        for title, content in outcome.get_result().sections:
            stream = title[len("Captured "):]
            if stream in self.printed:
                self.printed[stream] += content

    def pytest_collection_finish(self, session):
        self.items = list(session.items)
        self.foreign = [[i.nodeid, "%s.%s" % (type(i).__module__, type(i).__qualname__)] for i in self.items if not isinstance(i, pytest.Function)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        if self.probes is not None and self.import_hits is None:
            # What ran until here is import and collection; the test itself starts now.
            self.import_hits = self.probes.take()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        report = outcome.get_result()
        # Only now: the unittest plugin puts its exception into `call` inside this hook.
        self.failures[(report.nodeid, report.when)] = describe(call)

    def pytest_runtest_logreport(self, report):
        name = "::".join(report.nodeid.split("::")[1:])
        phases = self.tests.get(name)
        if phases is None:
            phases = self.tests[name] = []
            self.order.append(name)
        outcome = report.outcome
        reason = ""
        if hasattr(report, "wasxfail"):
            outcome, reason = "x" + outcome, report.wasxfail
            outcome = {"xskipped": "xfailed"}.get(outcome, outcome)
        elif report.skipped and isinstance(report.longrepr, tuple):
            reason = report.longrepr[2]
        text = {}
        for title, content in report.sections:
            text[title] = text.get(title, "") + content
        failure = self.failures.get((report.nodeid, report.when)) if outcome not in ("passed", "skipped") else None
        if report.failed and failure is None:
            crash = getattr(report.longrepr, "reprcrash", None)
            failure = {"type": "", "message": crash.message if crash else str(report.longrepr), "line": ""}
        when = report.when
        phases.append({
            "when": when, "outcome": outcome, "reason": reason, "failure": failure,
            "stdout": shorten(text.get("Captured stdout " + when, "")),
            "stderr": shorten(text.get("Captured stderr " + when, "")),
            "log": shorten(text.get("Captured log " + when, "")),
        })

    def pytest_sessionfinish(self, session, exitstatus):
        config = session.config
        for key in list(getattr(config, "inicfg", {}) or {}):
            try:
                value = config.getini(key)
                self.ini[key] = [str(x) for x in value] if isinstance(value, (list, tuple)) else value if isinstance(value, (str, bool, int)) else str(value)
            except Exception:
                pass
        self.ini["markers"] = self.marks
        self.plugins = sorted(str(n) for n, p in config.pluginmanager.list_name_plugin() if p is not None)[:200]
        for item in self.items:
            info = getattr(item, "_fixtureinfo", None)
            if info is None:
                continue
            for name, chain in info.name2fixturedefs.items():
                for definition in chain:
                    code = getattr(getattr(definition.func, "__wrapped__", definition.func), "__code__", None)
                    if code is not None:
                        self.fixtures.append([name, code.co_filename, code.co_firstlineno, definition.scope if isinstance(definition.scope, str) else str(definition.scope)])
            break

    def result(self):
        return {
            "tests": [{"name": n, "phases": self.tests[n]} for n in self.order],
            "collectErrors": self.collect,
            "deselected": self.deselected,
            "ended": self.ended,
            "collectStdout": shorten(self.printed["stdout"]),
            "collectStderr": shorten(self.printed["stderr"]),
            "collected": [item.nodeid for item in self.items] if self.config and self.config.option.collectonly else [],
        }
