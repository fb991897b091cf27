# Compiled extension modules import Python modules where no statement shows it: what each of them asks the modules of the
# codebase for, while it is loaded, is observed at the modules themselves.
import sys
import types
from importlib import machinery


class Compiled:
    """Edges from the codebase's compiled modules to its other modules: {compiled: {module: {names}}}."""

    def __init__(self, inside):
        self.inside, self.edges, self.running = inside, {}, []

    def install(self):
        observer, getter = self, types.ModuleType.__getattribute__
        loader = machinery.ExtensionFileLoader

        class Watched(types.ModuleType):
            def __getattribute__(self, name):
                if observer.running and sys._getframe(1).f_code in callers:
                    observer.edge(getter(self, "__name__")).add(name)
                return getter(self, name)

        class Finder:
            @staticmethod
            def find_spec(name, path=None, target=None):
                frame = sys._getframe(1)
                while frame is not None and frame.f_code not in callers and frame.f_code.co_filename.startswith("<frozen importlib"):
                    frame = frame.f_back
                if frame is not None and frame.f_code in callers:
                    observer.edge(name)
                return None

        callers = set()

        def watching(original):
            def loading(self, what):
                name, path = self.name, self.path
                if not observer.inside(path):
                    return original(self, what)
                changed = []
                for module in list(sys.modules.values()):
                    if type(module) is types.ModuleType and observer.inside(getter(module, "__dict__").get("__file__")):
                        module.__class__ = Watched
                        changed.append(module)
                observer.running.append(name)
                sys.meta_path.insert(0, Finder)
                try:
                    return original(self, what)
                finally:
                    sys.meta_path.remove(Finder)
                    observer.running.pop()
                    for module in changed:
                        if type(module) is Watched:
                            module.__class__ = types.ModuleType

            callers.add(loading.__code__)
            return loading

        # The innermost Python frame while compiled code runs is the one that called it.
        callers.add(sys.modules["importlib._bootstrap"]._call_with_frames_removed.__code__)
        loader.create_module = watching(loader.create_module)
        loader.exec_module = watching(loader.exec_module)

    def edge(self, module):
        return self.edges.setdefault(self.running[-1], {}).setdefault(module, set())

    def result(self):
        out = []
        for compiled, edges in self.edges.items():
            loaded = sys.modules.get(compiled)
            if loaded is None:
                continue
            own = vars(loaded)
            for module, names in edges.items():
                theirs = getattr(sys.modules.get(module), "__dict__", {})
                names.update(n for n, v in list(own.items()) if n in theirs and theirs[n] is v)
                out.append([compiled, module, sorted(n for n in names if not n.startswith("__"))])
        return sorted(out)
