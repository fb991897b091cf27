# One run of a command (`python -m package …`, `python script.py …`) in this process: the original under probes, or a gist
# in the place of its main module. Exit status, exception and written files are handed over; output is the process's own.
import ast
import atexit
import hashlib
import os
import shlex
import sys
import threading
import types

SEED = 0
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def run_command(spec, here, result):
    words = shlex.split(spec["command"])[1:]
    module = words[1] if words[:1] == ["-m"] and len(words) > 1 else None
    arguments = words[2:] if module else words[1:]
    if not words or (module is None and words[0].startswith("-")):
        result.fatal("usage", "%s: of the interpreter's own options only -m can be kept" % spec["command"])
        return 4
    from gistify_outcome import describe_error
    from gistify_watch import Watch, leave

    script = None
    if spec["mode"] == "trace" and not module:
        script = read_script(words[0])
        if script is None:
            result.fatal("usage", "there is no script %s" % words[0])
            return 4
    watch = Watch(spec, result, False)
    probes, guard, lines = watch.probes, watch.guard, watch.lines
    leave(here)
    written = Written(spec.get("gist"), guard)
    written.install()
    seed()
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=__builtins__ if isinstance(__builtins__, types.ModuleType) else sys.modules["builtins"])
    status, failure = 0, None
    try:
        if lines:
            lines.start(False)
        sys.modules["__main__"] = main
        if guard is None:
            code = gist_code(spec["gist"], lines)
            main.__file__, sys.argv[:], sys.path[0] = spec["gist"], [spec["gist"]] + arguments, os.path.dirname(spec["gist"])
        elif module:
            import runpy

            sys.argv[:] = ["-m"] + arguments
            sys.path[0] = os.getcwd()
            try:
                _, found, code = runpy._get_module_details(module, ImportError)
            except ImportError as error:
                result.fatal("usage", "%s: %s" % (spec["command"], error))
                return 4
            sys.argv[0] = found.origin
            main.__dict__.update(__file__=found.origin, __cached__=found.cached, __loader__=found.loader, __package__=found.parent, __spec__=found)
        else:
            path = os.path.abspath(words[0])
            code = probes.code(script, path) if probes.mine(path) else compile(script, path, "exec", dont_inherit=True)
            main.__file__, sys.argv[:], sys.path[0] = path, words, os.path.dirname(path)
        exec(code, main.__dict__)
    except SystemExit as stopped:
        status = exit_status(stopped.code)
    except BaseException as error:
        status = 1
        tb = error.__traceback__.tb_next or error.__traceback__
        failure = describe_error(type(error), error, tb)
        if sys.excepthook is not sys.__excepthook__:
            sys.excepthook(type(error), error, tb)
    # What the interpreter does at its end: threads are waited for, functions that were registered are called.
    try:
        threading._shutdown()
    except Exception:
        pass
    written.look()
    atexit._run_exitfuncs()
    written.look()
    if lines:
        lines.stop()
    watch.tell(Observed())
    if guard:
        # Import and work of a program are not told apart: all of it counts as both.
        for file in result.data["trace"]["files"]:
            file["statements"] = [[line, column, ran, ran] for line, column, _, ran in file["statements"]]
    outcome = "passed" if status == 0 else "failed"
    phase = {"when": "call", "outcome": outcome, "reason": "", "failure": failure, "stdout": "", "stderr": "", "log": ""}
    result.data.update(
        exitCode=status, collectErrors=[], deselected=0, ended=None, collectStdout="", collectStderr="", collected=[],
        tests=[{"name": spec["command"], "phases": [phase]}], files=written.result(),
        environment=dict(watch.environment(), randomSeed=SEED),
    )
    watch.end(status)


def read_script(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError:
        return None


def gist_code(path, lines):
    with open(path, "rb") as f:
        tree = ast.parse(f.read(), path)
    if lines and lines.probes:
        lines.probes.add(tree)
    return compile(tree, path, "exec", dont_inherit=True)


def exit_status(code):
    """As the interpreter ends: anything that is no number is said on stderr."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def seed():
    import random

    random.seed(SEED)


class Observed:
    """What a run under pytest would tell besides."""

    def __init__(self):
        self.fixtures, self.ini, self.plugins, self.foreign, self.import_hits = [], {}, [], [], []


class Written:
    """Files that a run writes below its working folder, by relative path with the hash of their content."""

    def __init__(self, gist, guard):
        self.gist, self.guard, self.start = gist, guard, os.path.realpath(os.getcwd())
        self.names, self.found, self.busy = {}, {}, False

    def install(self):
        getcwd, places = os.getcwd, {"os.rename": 1, "os.link": 1, "os.symlink": 1, "shutil.copyfile": 1, "shutil.move": 1}

        def hook(event, args):
            if self.busy:
                return
            if event == "open":
                path = args[0] if not isinstance(args[0], int) and args[2] & WRITING else None
            else:
                path = args[places[event]] if event in places else None
            if not isinstance(path, (str, bytes, os.PathLike)):
                return
            self.busy = True
            try:
                here = getcwd()
                full = os.path.normpath(os.path.join(here, os.fsdecode(path)))
                for base in (here, self.start):
                    if full.startswith(base + os.sep):
                        self.names[full] = full[len(base) + 1:].replace(os.sep, "/")
                        break
            except OSError:
                pass
            finally:
                self.busy = False

        sys.addaudithook(hook)

    def look(self):
        """Reads what is there now; a gist's copy of itself is none of what it writes."""
        self.busy = True
        if self.guard:
            self.guard.over = True
        own = read_script(self.gist) if self.gist else None
        for full, name in self.names.items():
            content = read_script(full)
            if content is not None and content != own and "__pycache__" not in name:
                self.found[name] = hashlib.sha256(content).hexdigest()
        self.busy = False
        if self.guard:
            self.guard.over = False

    def result(self):
        return self.found
