# Keeps the codebase out of a gist's run: every top-level name of it fails to import, but for the compiled
# modules that no one can inline, which are served from a tree that holds nothing else.
import importlib.abc
import importlib.machinery
import sys

binaries = []


def block(names, shadow):
    names = frozenset(names)

    class Blocked(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] not in names:
                return None
            if shadow:
                found = importlib.machinery.PathFinder.find_spec(name, [shadow] if path is None else list(path))
                if found and found.origin and found.origin.endswith((".so", ".pyd")):
                    binaries.append(name)
                    return found
                if found and (found.loader is None or type(found.loader).__name__ in ("NamespaceLoader", "_NamespaceLoader")):
                    return found
            raise ModuleNotFoundError("No module named %r (the codebase is absent)" % name, name=name)

    sys.meta_path.insert(0, Blocked())
