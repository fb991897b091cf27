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

        return run_command(spec, here, result, environment)
    try:
        pytest = import_pytest()
    except ImportError as error:
        result.fatal("pytest-missing", str(error))
        return 4
    import gistify_plugin
    probes = guard = lines = cache = packages = None
    if spec["mode"] == "trace":
        import gistify_bindings
        from gistify_compiled import Compiled
        import gistify_probes
        from gistify_guard import Guard
        from gistify_packages import packages

        if spec.get("cache"):
            from gistify_code_cache import CodeCache

            cache = CodeCache(spec["cache"], [gistify_probes.__file__])
        probes = gistify_probes.Probes(spec["root"], spec.get("excluded", []), cache)
        probes.install()
        probes.install_pytest()
        compiled = Compiled(probes.inside)
        compiled.install()
        guard = Guard(spec["root"], spec["inPlace"], result, probes.excluded)
        guard.install()
    else:
        from gistify_blocker import block
        from gistify_lines import Lines

        block(spec["block"], spec.get("shadow") or "")
        if spec.get("traceLines"):
            lines = Lines(spec["gist"])
    sys.path.remove(here)
    # Modules of the codebase may have the names of these.
    for name in [n for n, m in sys.modules.items() if os.path.dirname(getattr(m, "__file__", None) or "") == here and n != "__main__"]:
        del sys.modules[name]
    sys.argv[:] = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")] + spec["args"]
    plugin = gistify_plugin.Plugin(spec, probes)
    if lines:
        lines.start()
    mend = remember()
    code = 3
    try:
        code = pytest.main(spec["args"], plugins=[plugin])
    except BaseException as error:
        plugin.end(type(error), error, error.__traceback__)
    finally:
        if lines:
            lines.stop()
    mend()
    result.data["exitCode"] = int(code)
    result.data.update(plugin.result())
    if probes:
        result.data["trace"] = gistify_bindings.collect(probes, plugin)
        result.data["trace"]["compiledImports"] = compiled.result()
        result.data["observed"] = guard.result()
    if lines:
        result.data["lines"], result.data["calls"] = lines.result()
    result.data["environment"] = environment(packages)
    result.write()
    if cache:
        cache.flush()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    os._exit(int(code))


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


def environment(packages):
    found = packages(list(sys.modules)) if packages else {}
    return {"python": "%d.%d.%d" % sys.version_info[:3], "packages": found, "hashSeed": os.environ.get("PYTHONHASHSEED", "random")}


if __name__ == "__main__":
    sys.exit(main())
