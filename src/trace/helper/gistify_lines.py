# Which lines of one file, the gist, ran, as coverage.py counts them, and which of its functions called which.
import ast
import sys
import threading

from executable_lines import executable_lines
from gistify_line_probes import LineProbes

# Who calls a function is known after so many calls of it: later ones cost nothing.
ENOUGH = 500
# So many frames of libraries are looked through for the caller.
DEPTH = 60


class Lines:
    def __init__(self, path):
        self.path, self.seen, self.probes = path, set(), None
        self.edges, self.calls = set(), {}

    def called(self, code, frame):
        """Remembers the innermost function of the gist outside of this one; False once enough is known."""
        n = self.calls[code] = self.calls.get(code, 0) + 1
        if code.co_name[:1] == "<" or n > ENOUGH:
            return False
        caller, depth = frame, 0
        while caller is not None and depth < DEPTH:
            known = caller.f_code
            if known.co_filename == self.path and (known.co_name[:1] != "<" or known.co_name == "<module>"):
                # The body of a class runs at import: it is no function.
                self.edges.add((known.co_firstlineno if known.co_flags & 2 else 0, code.co_firstlineno))
                return True
            caller, depth = caller.f_back, depth + 1
        self.edges.add((0, code.co_firstlineno))
        return True

    def start(self, pytest=True):
        if sys.version_info >= (3, 10):
            # Each line that coverage.py counts has bytecode of its own: probes see what line events would tell.
            self.probes = LineProbes(self.path, self.called)
            self.probes.install(pytest)
            return
        path, add, called = self.path, self.seen.add, self.called

        def local(frame, event, arg):
            if event == "line":
                add(frame.f_lineno)
            return local

        def trace(frame, event, arg):
            code = frame.f_code
            if code.co_filename != path:
                return None
            if code.co_flags & 2:
                called(code, frame.f_back)
            return local

        threading.settrace(trace)
        sys.settrace(trace)

    def stop(self):
        if self.probes:
            self.seen.update(self.probes.lines())
        else:
            threading.settrace(None)
            sys.settrace(None)

    def result(self):
        with open(self.path, encoding="utf-8", newline="") as f:
            source = f.read()
        statements, first = executable_lines(source, self.path)
        executed = {first.get(n, n) for n in self.seen}
        return {"statements": sorted(statements), "executed": sorted(executed & set(statements))}, self.graph(source)

    def graph(self, source):
        """Functions as [line of the `def`, qualified name], and who called whom as pairs of their places; -1 is outside."""
        functions, places = [], {}

        def visit(node, prefix):
            for child in ast.iter_child_nodes(node):
                name = prefix
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    name = prefix + child.name + "."
                    if not isinstance(child, ast.ClassDef):
                        first = min([child.lineno] + [d.lineno for d in child.decorator_list])
                        places[first] = len(functions)
                        functions.append([child.lineno, prefix + child.name])
                visit(child, name)

        visit(ast.parse(source), "")
        edges = {(places.get(a, -1), places[b]) for a, b in self.edges if b in places}
        return {"functions": functions, "edges": sorted(edges)}
