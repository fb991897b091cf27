# What watches a run is set up here, whatever is run, and what it saw is handed over at the end: of the original its
# statements and files, of a gist its lines.
import os
import sys


class Watch:
    def __init__(self, spec, result, under_pytest):
        self.result = result
        self.probes = self.guard = self.lines = self.cache = self.packages = self.compiled = None
        if spec["mode"] == "trace":
            self.watch_original(spec, under_pytest)
        else:
            self.watch_gist(spec)

    def watch_original(self, spec, under_pytest):
        import gistify_bindings
        import gistify_probes
        from gistify_compiled import Compiled
        from gistify_guard import Guard
        from gistify_packages import packages

        if spec.get("cache"):
            from gistify_code_cache import CodeCache

            self.cache = CodeCache(spec["cache"], [gistify_probes.__file__])
        self.bindings, self.packages = gistify_bindings.collect, packages
        self.probes = gistify_probes.Probes(spec["root"], spec.get("excluded", []), self.cache)
        self.probes.install()
        if under_pytest:
            self.probes.install_pytest()
        self.compiled = Compiled(self.probes.inside)
        self.compiled.install()
        self.guard = Guard(spec["root"], spec["inPlace"], self.result, self.probes.excluded)
        self.guard.install()

    def watch_gist(self, spec):
        from gistify_blocker import block
        from gistify_lines import Lines

        block(spec["block"], spec.get("shadow") or "")
        if spec.get("traceLines"):
            self.lines = Lines(spec["gist"])

    def tell(self, plugin):
        """Puts what was seen into the result; `plugin` says what a run under pytest tells besides."""
        data = self.result.data
        if self.probes:
            data["trace"] = self.bindings(self.probes, plugin)
            data["trace"]["compiledImports"] = self.compiled.result()
            data["observed"] = self.guard.result()
        if self.lines:
            data["lines"], data["calls"] = self.lines.result()

    def environment(self):
        found = self.packages(list(sys.modules)) if self.packages else {}
        return {"python": "%d.%d.%d" % sys.version_info[:3], "packages": found, "hashSeed": os.environ.get("PYTHONHASHSEED", "random")}

    def end(self, status):
        """Writes the result and ends the process: nothing of the run may have a say any more."""
        self.result.write()
        if self.cache:
            self.cache.flush()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                pass
        os._exit(status)


def leave(here):
    """The helper's folder is no place to import from: modules of the codebase may have the names of ours."""
    sys.path.remove(here)
    for name in [n for n, m in sys.modules.items() if os.path.dirname(getattr(m, "__file__", None) or "") == here and n != "__main__"]:
        del sys.modules[name]
