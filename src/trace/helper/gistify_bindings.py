# At the end of a traced run: which statements ran in which phase and order, and what each module-level name
# of the codebase was bound to, by identity.
import builtins
import os
import sys
import types


MISSING = object()


def collect(probes, plugin):
    run, imported = probes.take(), plugin.import_hits
    if imported is None:
        imported, run = run, []
    root = probes.root + os.sep
    files = []
    for number, file in enumerate(probes.files):
        none = bytes(len(file.places))
        before = imported[number] if number < len(imported) else none
        after = run[number] if number < len(run) else none
        counts = file.cells[len(file.places):]
        files.append({
            "path": probes.real(file.path)[len(root):].replace(os.sep, "/"),
            "statements": [[line, col, before[i], after[i]] for i, (line, col) in enumerate(file.places)],
            "calls": sorted([i, n] for (i, _), n in zip(file.entries, counts) if n),
        })
    identity = {}

    def number(value):
        return identity.setdefault(id(value), len(identity))

    spaces = {id(s): (i, n) for i, (f, n, s) in enumerate(probes.instances)}
    instances = []
    for (file, name, space), importer in zip(probes.instances, probes.importers):
        bindings = []
        for key, value in list(space.items()):
            if key.startswith("@") or key in ("__builtins__", "__loader__", "__spec__", "__cached__"):
                continue
            bindings.append([key, number(value)] + kind_of(key, value))
        parent = space.get("__package__")
        instances.append({
            "file": file, "name": name, "package": parent if isinstance(parent, str) else "",
            "isPackage": "__path__" in space, "alive": name in sys.modules and vars_of(sys.modules[name]) is space,
            "importer": importer, "bindings": bindings,
        })
    required = []
    for file, name, space in probes.instances:
        for value in list(space.values()):
            if isinstance(value, type) and value.__module__ == name:
                names = implementations(value)
                if names:
                    required.append([name, value.__qualname__, names])
    traced = {probes.instances[i][1] for i in range(len(probes.instances))}
    empty = [n for n, m in list(sys.modules.items()) if n not in traced and probes.mine(getattr(m, "__file__", None) or "")]
    compiled = []
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and path.endswith((".so", ".pyd")) and probes.inside(path):
            compiled.append([name, probes.real(path)[len(root):].replace(os.sep, "/")])
    return {
        "files": files,
        "instances": instances,
        "order": probes.log,
        "compiled": sorted(compiled),
        "required": required,
        "empty": sorted(empty),
        "requested": sorted([n, by] for n, by in probes.requested if by and n in sys.modules and (n in traced or n in empty)),
        "blind": [probes.real(p)[len(root):] for p in probes.blind],
        "broken": [probes.real(p)[len(root):] for p in probes.broken],
        "fixtures": [
            {"name": n, "file": probes.real(f)[len(root):].replace(os.sep, "/") if probes.real(f).startswith(root) else "", "line": l, "scope": s}
            for n, f, l, s in plugin.fixtures
        ],
        "ini": plugin.ini,
        "plugins": plugin.plugins,
        "foreignItems": plugin.foreign,
    }


def implementations(kind):
    """Methods of a class that stand in for abstract ones: without them it could not be instantiated."""
    own, abstract = vars(kind), set()
    for base in kind.__mro__[1:]:
        abstract.update(getattr(base, "__abstractmethods__", None) or ())
    return sorted(n for n in abstract if n in own)


def vars_of(module):
    try:
        return vars(module)
    except TypeError:
        return None


def kind_of(key, value):
    if getattr(builtins, key, MISSING) is value:
        return ["builtin", key]
    if isinstance(value, types.ModuleType):
        return ["module", str(getattr(value, "__name__", ""))]
    if isinstance(value, type):
        return ["class", "%s:%s" % (value.__module__, value.__qualname__)]
    if isinstance(value, types.FunctionType):
        return ["function", "%s:%s" % (value.__module__, value.__qualname__)]
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return ["constant", repr(value)[:80]]
    return ["object", type(value).__name__]
