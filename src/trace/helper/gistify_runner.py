# One pytest run: reads a spec (JSON), runs pytest in this process, writes what was observed (JSON).
# Python 3.8+, standard library only; the program under test must not notice.
import json
import os
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        spec = json.load(f)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.getcwd()] + [p for p in sys.path if os.path.abspath(p or ".") != here]
    sys.path.insert(0, here)
    if spec["mode"] == "survey":
        return survey(spec, here)
    result = Result(spec)
    try:
        import pytest
    except ImportError as error:
        result.fatal("pytest-missing", str(error))
        return 4
    import gistify_plugin
    probes = guard = lines = cache = None
    if spec["mode"] == "trace":
        import gistify_bindings
        from gistify_compiled import Compiled
        import gistify_packages  # noqa: F401 (used when the run is over)
        import gistify_probes
        from gistify_guard import Guard

        if spec.get("cache"):
            from gistify_code_cache import CodeCache

            cache = CodeCache(spec["cache"], [gistify_probes.__file__])
        probes = gistify_probes.Probes(spec["root"], spec.get("excluded", []), cache)
        probes.install()
        probes.install_pytest()
        inside = os.path.realpath(spec["root"]) + os.sep
        compiled = Compiled(lambda path: isinstance(path, str) and os.path.realpath(path).startswith(inside) and "site-packages" not in path)
        compiled.install()
        guard = Guard(spec["root"], spec["inPlace"], result, probes.excluded)
        guard.install()
    else:
        from gistify_blocker import block

        block(spec["block"], spec.get("shadow") or "")
        if spec.get("traceLines"):
            from gistify_lines import Lines

            lines = Lines(spec["gist"])
    sys.path.remove(here)
    sys.argv[:] = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")] + spec["args"]
    plugin = gistify_plugin.Plugin(spec, probes)
    if lines:
        lines.start()
    try:
        code = pytest.main(spec["args"], plugins=[plugin])
    finally:
        if lines:
            lines.stop()
    result.data["exitCode"] = int(code)
    result.data.update(plugin.result())
    if probes:
        result.data["trace"] = gistify_bindings.collect(probes, plugin)
        result.data["trace"]["compiledImports"] = compiled.result()
        result.data["observed"] = guard.result()
    if lines:
        result.data["lines"], result.data["calls"] = lines.result()
    result.data["environment"] = environment(spec)
    result.write()
    if cache:
        cache.flush()
    sys.stdout.flush()
    sys.stderr.flush()
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


def environment(spec):
    found = {}
    if spec["mode"] == "trace":
        found = sys.modules["gistify_packages"].packages(list(sys.modules))
    return {"python": "%d.%d.%d" % sys.version_info[:3], "packages": found, "hashSeed": os.environ.get("PYTHONHASHSEED", "random")}


if __name__ == "__main__":
    sys.exit(main())
