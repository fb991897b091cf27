# Verifies many candidates of one gist: a process that has pytest, its plugins and the libraries ready forks for each.
# Jobs (JSON lines) flow in on stdin, verdicts flow out on stdout. With `once` in its spec it verifies one and ends.
import gc
import json
import os
import select
import shutil
import signal
import sys
import time


def main():
    before = set(sys.modules)
    with open(sys.argv[1], encoding="utf-8") as f:
        spec = json.load(f)
    here = os.path.dirname(os.path.abspath(__file__))
    jobs, verdicts = os.dup(0), os.dup(1)
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 0)
    if not spec.get("once"):
        os.dup2(quiet, 1)
    sys.path[:] = [os.getcwd()] + [p for p in sys.path if os.path.abspath(p or ".") != here]
    sys.path.insert(0, here)
    import pytest
    import gistify_chunks
    import gistify_condition
    import gistify_packages
    import gistify_plugin
    from gistify_blocker import block

    block(spec["block"], spec.get("shadow") or "")
    sys.path.remove(here)
    spec["before"] = before
    plugin = make_plugin(spec, pytest, gistify_plugin, gistify_condition, gistify_packages, gistify_chunks, jobs, verdicts)
    sys.argv[:] = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")] + spec["args"]
    code = pytest.main(spec["args"], plugins=[plugin])
    if plugin.said is None:
        # pytest ended before a session began.
        send(verdicts, {"fatal": "pytest ended with status %d" % int(code)})
        os._exit(3)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if plugin.said.get("holds", True) else 1)


def send(descriptor, data):
    text = (json.dumps(data) + "\n").encode("utf-8", "surrogatepass")
    while text:
        text = text[os.write(descriptor, text):]


class Lines:
    """Line numbers of the gist in the order of their first run; with `only`, of code that holds one of these."""

    def __init__(self, path, only):
        self.path, self.only, self.seen = path, only, {}

    def start(self):
        path, seen, only = self.path, self.seen, self.only
        monitoring = getattr(sys, "monitoring", None)
        tool = next((i for i in range(6) if monitoring.get_tool(i) is None), None) if monitoring else None
        if tool is not None:
            def line(code, number):
                if code.co_filename == path:
                    seen.setdefault(number)
                return monitoring.DISABLE

            monitoring.use_tool_id(tool, "gistify")
            monitoring.register_callback(tool, monitoring.events.LINE, line)
            monitoring.set_events(tool, monitoring.events.LINE)
            return
        wanted = {}

        def holds(code):
            numbers = [n for _, n in __import__("dis").findlinestarts(code) if n]
            return only is None or any(n in only for n in range(code.co_firstlineno, max(numbers or [0]) + 1))

        def local(frame, event, arg):
            if event == "line":
                seen.setdefault(frame.f_lineno)
            return local

        def trace(frame, event, arg):
            code = frame.f_code
            if code.co_filename != path:
                return None
            if code not in wanted:
                wanted[code] = holds(code)
            return local if wanted[code] else None

        __import__("threading").settrace(trace)
        sys.settrace(trace)


def asserted_lines(expect, text, condition):
    """Lines of the candidate that may be one of the assertions that must run."""
    if expect is None or expect["kind"] != "passing" or not expect["asserts"]:
        return frozenset()
    wanted = {one.split("\n")[0] for one in expect["asserts"]}
    return frozenset(n for n, line in enumerate(text.split("\n"), 1) if line.strip() in wanted)


def make_plugin(spec, pytest, gistify_plugin, condition, packages, compiling, jobs, verdicts):
    class Server(gistify_plugin.Plugin):
        def __init__(self):
            super().__init__({"mode": "gist"}, None)
            self.expect, self.running, self.frames, self.job = spec.get("expect"), {}, {}, None
            self.known, self.pipe, self.count, self.said = set(), None, 0, None

        @pytest.hookimpl(tryfirst=True)
        def pytest_collection(self, session):
            if spec.get("once"):
                with open(spec["fileName"], encoding="utf-8") as f:
                    text = f.read()
                self.begin({"op": spec["once"], "text": text}, os.getcwd(), False)
                return None
            self.known = set(sys.modules)
            self.chunks = compiling.Chunks(session.config)
            send(verdicts, {"ready": True})
            self.serve()
            session.config.args[:] = [os.path.join(self.folder, spec["fileName"]) + "::" + spec["test"]]
            factory = getattr(session.config, "_tmp_path_factory", None)
            if factory is not None:
                from pathlib import Path

                factory._given_basetemp = Path(self.folder + ".tmp")
            return None

        def serve(self):
            """Forks for each job that comes in. Returns only in the children."""
            waiting = b""
            while True:
                now = time.monotonic()
                nearest = min([r["deadline"] for r in self.running.values()] or [now + 3600])
                ready, _, _ = select.select([jobs] + list(self.running), [], [], max(0, nearest - now))
                for pipe in [r for r in ready if r != jobs]:
                    part = os.read(pipe, 1 << 16)
                    if part:
                        self.running[pipe]["said"] += part
                    else:
                        self.end(pipe)
                for pipe in [p for p, r in self.running.items() if r["deadline"] <= time.monotonic()]:
                    self.end(pipe)
                if jobs in ready:
                    part = os.read(jobs, 1 << 16)
                    if not part:
                        for pipe in list(self.running):
                            self.end(pipe)
                        os._exit(0)
                    waiting += part
                    *whole, waiting = waiting.split(b"\n")
                    for line in whole:
                        if self.take(json.loads(line)):
                            return

        def take(self, job):
            if job["op"] == "expect":
                self.expect = job["expect"]
                if self.expect["kind"] == "passing":
                    self.chunks.probe(self.expect["asserts"], condition.statement_text)
            elif job["op"] == "warm":
                import importlib

                gist = os.path.splitext(spec["fileName"])[0]
                for name in job["modules"]:
                    # The gist itself, and modules that stand in it, are each candidate's own.
                    if name == gist or name.split(".")[0] in spec["block"]:
                        continue
                    try:
                        importlib.import_module(name)
                    except BaseException:
                        pass
                self.known |= set(sys.modules)
                gc.collect()
                gc.freeze()
                send(verdicts, {"id": job["id"], "warm": True})
            else:
                return self.fork(job)
            return False

        def fork(self, job):
            codes = self.chunks.compile(job["text"])
            if codes is None and not is_python(job["text"]):
                send(verdicts, {"id": job["id"], "holds": False, "why": "is no Python"})
                return False
            if job["op"] == "verify" and self.expect["kind"] == "failing":
                why = condition.missing_returns(self.expect["returns"], job["text"])
                if why:
                    send(verdicts, {"id": job["id"], "holds": False, "why": why})
                    return False
            self.count += 1
            folder = os.path.join(spec["folder"], str(self.count))
            os.mkdir(folder)
            with open(os.path.join(folder, spec["fileName"]), "w", encoding="utf-8", newline="") as f:
                f.write(job["text"])
            read, write = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(read)
                os.close(jobs)
                os.close(verdicts)
                for pipe in self.running:
                    os.close(pipe)
                self.pipe = write
                if "cpu" in job:
                    signal.signal(signal.SIGPROF, signal.SIG_DFL)
                    signal.setitimer(signal.ITIMER_PROF, job["cpu"])
                    limit_memory()
                # Parsing and compiling make much and drop little.
                gc.disable()
                os.chdir(folder)
                sys.path[0:1] = [folder] if sys.path[:1] == [spec["folder"]] else sys.path[:1]
                self.begin(job, folder, codes is not None)
                if codes is not None:
                    compiling.serve(codes, os.path.join(folder, spec["fileName"]))
                return True
            os.close(write)
            self.running[read] = {"id": job["id"], "pid": pid, "said": b"", "folder": folder, "deadline": time.monotonic() + job["wall"]}
            return False

        def end(self, pipe):
            done = self.running.pop(pipe)
            try:
                os.kill(done["pid"], signal.SIGKILL)
            except OSError:
                pass
            os.waitpid(done["pid"], 0)
            os.close(pipe)
            self.chunks.forget()
            shutil.rmtree(done["folder"], ignore_errors=True)
            shutil.rmtree(done["folder"] + ".tmp", ignore_errors=True)
            said = {"holds": False, "why": "did not end"}
            if done["said"].endswith(b"\n"):
                said = json.loads(done["said"].decode("utf-8", "surrogatepass"))
            said["id"] = done["id"]
            send(verdicts, said)

        def begin(self, job, folder, probed):
            self.job, self.folder = job, folder
            self.began = (time.monotonic(), time.process_time())
            path = os.path.join(folder, spec["fileName"])
            observing = job["op"] == "observe"
            only = None if observing else asserted_lines(self.expect, job["text"], condition)
            self.lines = Lines(path, only)
            self.probed = {} if probed and not observing else None
            if self.probed is not None:
                import builtins

                setattr(builtins, compiling.PROBE, lambda text, place: self.probed.setdefault(text, set()).add(place))
            elif observing or only:
                self.lines.start()

        def pytest_collection_finish(self, session):
            gc.enable()

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_makereport(self, item, call):
            if self.job["op"] == "verify":
                item.config.option.tbstyle = "native"
            outcome = yield
            report = outcome.get_result()
            self.failures[(report.nodeid, report.when)] = gistify_plugin.describe(call)
            path = os.path.join(self.folder, spec["fileName"])
            calls, tb = [], call.excinfo._excinfo[2] if call.excinfo is not None else None
            while tb is not None:
                code = tb.tb_frame.f_code
                if code.co_filename == path:
                    calls.append([code.co_name, self.line(tb.tb_lineno)])
                tb = tb.tb_next
            name = "::".join(report.nodeid.split("::")[1:])
            self.frames[(name, len(self.tests.get(name, [])))] = calls
            if report.failed and self.pipe is not None and self.job["op"] == "verify" and self.expect["kind"] == "passing":
                self.finish()

        def line(self, number):
            lines = self.job["text"].split("\n")
            return lines[number - 1].strip() if 0 < number <= len(lines) else ""

        @pytest.hookimpl(tryfirst=True)
        def pytest_sessionfinish(self, session, exitstatus):
            self.finish()

        def finish(self):
            sys.settrace(None)
            tests = [{"name": n, "phases": self.tests[n]} for n in self.order]
            text, executed = self.job["text"], list(self.lines.seen)
            if self.job["op"] == "observe":
                said = {
                    "tests": tests, "collectErrors": self.collect, "executed": executed,
                    "reasons": [
                        condition.reason(phase, self.frames.get((test["name"], number), []), self.folder)
                        for test in tests for number, phase in enumerate(test["phases"]) if phase["failure"] is not None
                    ],
                    "signatures": [condition.signature(test) for test in tests],
                    "modules": [n for n, m in list(sys.modules.items()) if n not in self.known and worth_warming(m, self.folder)],
                    "wall": time.monotonic() - self.began[0], "cpu": time.process_time() - self.began[1],
                }
                if spec.get("packages"):
                    said["packages"] = packages.packages([n for n in sys.modules if n not in spec["before"] and n.split(".")[0] not in spec["block"]])
            else:
                failing = self.collect or self.job["op"] != "verify"
                why = condition.difference(self.expect, tests, self.frames, failing, executed, text, self.folder, self.probed)
                said = {"holds": why == "", "why": why}
                if self.collect and not spec.get("once"):
                    said["why"] = self.collect[0][-300:]
            if self.pipe is not None:
                send(self.pipe, said)
                os._exit(0)
            # What pytest prints at its end is part of a fresh run.
            self.said = said
            with open(spec["out"], "w", encoding="utf-8", errors="surrogatepass") as f:
                json.dump(said, f)

    return Server()


def is_python(text):
    try:
        compile(text, "<gist>", "exec", 0, True)
    except (SyntaxError, ValueError):
        return False
    return True


def worth_warming(module, folder):
    path = getattr(module, "__file__", None)
    return isinstance(path, str) and not path.startswith(folder) and getattr(module, "__spec__", None) is not None


def limit_memory():
    """A candidate that grows without end stops at 4 GB above what is in use."""
    try:
        import resource

        with open("/proc/self/statm") as f:
            used = int(f.read().split()[0]) * resource.getpagesize()
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (min(used + (4 << 30), hard) if hard > 0 else used + (4 << 30), hard))
    except (ImportError, OSError, ValueError):
        pass


if __name__ == "__main__":
    main()
