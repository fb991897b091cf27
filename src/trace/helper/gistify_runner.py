# One pytest run: reads a spec (JSON), runs pytest in this process, writes what was observed (JSON).
# Python 3.8+, standard library only; the program under test must not notice.
import builtins
import importlib
import json
import os
import sys


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.getcwd()] + [p for p in sys.path if os.path.abspath(p or ".") != here]
    sys.path.insert(0, here)
    with open(sys.argv[1] if sys.argv[1] != "-" else handed_over(), encoding="utf-8") as f:
        spec = json.load(f)
    if spec["mode"] == "survey":
        return survey(spec, here)
    result = Result(spec)
    if spec.get("command"):
        from gistify_command import run_command

        return run_command(spec, here, result)
    try:
        pytest = import_pytest()
    except ImportError as error:
        result.fatal("pytest-missing", str(error))
        return 4
    import gistify_plugin
    from gistify_watch import Watch, leave

    watch = Watch(spec, result, True)
    leave(here)
    sys.argv[:] = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")] + spec["args"]
    plugin = gistify_plugin.Plugin(spec, watch.probes)
    if watch.lines:
        watch.lines.start()
    mend = remember()
    code = 3
    try:
        code = pytest.main(spec["args"], plugins=[plugin])
    except BaseException as error:
        plugin.end(type(error), error, error.__traceback__)
    finally:
        if watch.lines:
            watch.lines.stop()
    mend()
    result.data["exitCode"] = int(code)
    result.data.update(plugin.result())
    watch.tell(plugin)
    result.data["environment"] = watch.environment()
    watch.end(int(code))


def survey(spec, here):
    import pytest
    from gistify_probes import Probes
    from gistify_survey import Survey

    probes = Probes(spec["root"], spec.get("excluded", []))
    probes.install()
    probes.install_pytest()
    sys.path.remove(here)
    sys.argv[:] = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")] + spec["args"]
    plugin = Survey(spec, probes)
    code = int(pytest.main(spec["args"], plugins=[plugin]))
    plugin.finish(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def import_pytest():
    """As `python -m pytest` does; where modules of the codebase stand in its way, as `pytest` does."""
    before = set(sys.modules)
    try:
        import pytest
    except Exception:
        for name in set(sys.modules) - before:
            del sys.modules[name]
        folder = sys.path.index(os.getcwd())
        del sys.path[folder]
        import pytest

        sys.path.insert(folder, os.getcwd())
    return pytest


def remember():
    """What a test replaces for good is put back before its run is reported."""
    spaces = [(vars(m), dict(vars(m))) for m in (builtins, os, os.path, json, sys.modules["codecs"])]
    modules, finders, places = dict(sys.modules), list(sys.meta_path), list(sys.path)

    def mend():
        for space, before in spaces:
            space.update(before)
        for name, module in modules.items():
            sys.modules.setdefault(name, module)
        if not sys.meta_path:
            sys.meta_path[:] = finders
        if not sys.path:
            sys.path[:] = places

    return mend


def handed_over():
    """Loads what every run loads first, pytest and its own plugins, and waits for the name of a spec on stdin."""
    try:
        import_pytest()
        from _pytest.config import default_plugins

        for name in default_plugins:
            if name != "cacheprovider":  # which runs do without
                __import__("_pytest." + name)
        import gistify_blocker  # noqa: F401
        import gistify_lines  # noqa: F401
        import gistify_plugin  # noqa: F401
        import gistify_watch  # noqa: F401
    except ImportError:
        pass  # told when the run is asked for
    line = b""
    while not line.endswith(b"\n"):
        more = os.read(0, 4096)
        if not more:
            os._exit(0)  # nothing to run after all
        line += more
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    importlib.invalidate_caches()  # the folder has got its file only now
    return line.decode("utf-8", "surrogateescape").rstrip("\n")


class Result:
    """The one JSON file that the host reads; written once, by a rename, whatever happens."""

    def __init__(self, spec):
        self.path, self.data, self.pid = spec["out"], {"fatal": None}, os.getpid()

    def fatal(self, code, message):
        self.data["fatal"] = {"code": code, "message": message}
        self.write()

    def write(self):
        if os.getpid() != self.pid:
            return
        temporary = self.path + ".part"
        with open(temporary, "w", encoding="utf-8", errors="surrogatepass") as f:
            f.write(json.dumps(self.data))
        os.replace(temporary, self.path)


if __name__ == "__main__":
    sys.exit(main())
