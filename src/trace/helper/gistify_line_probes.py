# The gist's code flows in, the lines that ran flow out. Line events would slow down every library that the gist uses;
# probes in its syntax tree cost only the gist, and must tell the very lines that events would (Python 3.10 and later).
import ast
import importlib._bootstrap_external as bootstrap
import os
import sys

# Names with two underscores at both ends are not mangled in classes.
CELLS, MARK, FRESH, ENTER, TRACING, COMPILE = (
    "__gistify_%s__" % name for name in ("line_cells", "line_mark", "line_fresh", "line_enter", "line_tracing", "line_compile"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = FUNCTIONS + (ast.ClassDef,)


class LineProbes:
    def __init__(self, path, called):
        with open(path, encoding="utf-8", newline="") as f:
            size = f.read().count("\n") + 3
        self.path, self.called = path, called
        self.cells, self.fresh = [0] * size, [1] * size  # by line

    def lines(self):
        return [line for line, ran in enumerate(self.cells) if ran]

    def install(self, pytest=True):
        import builtins

        frame_of, fresh, called = sys._getframe, self.fresh, self.called

        def enter(line):
            frame = frame_of(1)
            if not called(frame.f_code, frame.f_back):
                fresh[line] = 0

        values = ((CELLS, self.cells), (MARK, self.cells.__setitem__), (FRESH, fresh), (ENTER, enter), (TRACING, sys.gettrace), (COMPILE, self.compile))
        for name, value in values:
            setattr(builtins, name, value)
        if not pytest:
            return
        from _pytest.assertion import rewrite

        rewrite_asserts, to_code = rewrite.rewrite_asserts, bootstrap.SourceLoader.source_to_code
        probes = self

        def instrumented(mod, source, module_path=None, config=None):
            if module_path and probes.mine(module_path):
                probes.add(mod)
            return rewrite_asserts(mod, source, module_path, config)

        def source_to_code(self, data, path, **more):
            if not probes.mine(path):
                return to_code(self, data, path, **more)
            return compile(probes.add(ast.parse(data, path)), path, "exec", dont_inherit=True)

        rewrite.rewrite_asserts = instrumented
        bootstrap.SourceLoader.source_to_code = source_to_code

    def mine(self, path):
        return isinstance(path, (str, os.PathLike)) and os.fspath(path) == self.path

    def compile(self, source, filename, *rest, **more):
        """What the gist's loader compiles of the gist itself has probes as well."""
        if isinstance(source, ast.Module) and filename == self.path:
            self.add(source)
        return compile(source, filename, *rest, **more)

    def add(self, tree):
        for node in ast.walk(tree):
            # Only where nothing is inherited from the calling code, as a call through us would.
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "compile":
                last = node.args[4:5] + [k.value for k in node.keywords if k.arg == "dont_inherit"]
                if last and isinstance(last[0], ast.Constant) and last[0].value is True:
                    node.func.id = COMPILE
        tree.body = self.block(tree.body, True)
        return tree

    def block(self, body, head=False, lines=()):
        """A block with a probe before each statement; `lines` ran as well if the first one does."""
        out, extra = [], list(lines)
        for position, node in enumerate(body):
            docstring = head and position == 0 and is_text(node)
            first = node.decorator_list[0] if isinstance(node, DEFINITIONS) and node.decorator_list else node
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                extra.append(node.lineno)  # nothing can stand before it
            elif not docstring:
                out.extend(ran(line, first) for line in dict.fromkeys(extra + [first.lineno]))
                extra = []
            out.append(node)
            self.inside(node)
        out.extend(ran(line, body[-1]) for line in extra)
        return out

    def inside(self, node):
        if isinstance(node, DEFINITIONS):
            self.decorated(node)
            entry = [] if isinstance(node, ast.ClassDef) else [entered(node)]
            skip = 1 if is_text(node.body[0]) else 0
            body = self.block(node.body, True)
            node.body = body[:skip] + entry + body[skip:]
            return
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(node, field, None)
            if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
                setattr(node, field, self.block(inner))
        for handler in getattr(node, "handlers", ()):
            if handler.type is None:
                handler.body = self.block(handler.body, False, [handler.lineno])
            else:
                # The line runs when the type is asked for, whether it fits or not.
                handler.type = at(ast.BoolOp(ast.Or(), [mark(handler.lineno, handler.type), handler.type]), handler.type)
                handler.body = self.block(handler.body)
        cases = []
        for case in getattr(node, "cases", ()):
            # A case that never fits tells that the next one is tried.
            line = case.pattern.lineno
            tried = ast.match_case(at(ast.MatchAs(None, None), case.pattern), mark(line, case.pattern), [at(ast.Pass(), case.pattern)])
            case.body = self.block(case.body)
            cases += [tried, case]
        if cases:
            node.cases = cases

    def decorated(self, node):
        """After each decorator comes the line of the next one, at last that of the definition."""
        following = [d.lineno for d in node.decorator_list[1:]] + [node.lineno]
        for i, (decorator, line) in enumerate(zip(node.decorator_list, following)):
            both = at(ast.Tuple([decorator, mark(line, decorator)], ast.Load()), decorator)
            node.decorator_list[i] = at(ast.Subscript(both, at(ast.Constant(0), decorator), ast.Load()), decorator)


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def at(node, place):
    node.lineno = node.end_lineno = place.lineno
    node.col_offset = node.end_col_offset = place.col_offset
    return node


def name(text, place):
    return at(ast.Name(text, ast.Load()), place)


def ran(line, place):
    """A statement that marks a line."""
    target = at(ast.Subscript(name(CELLS, place), at(ast.Constant(line), place), ast.Store()), place)
    return at(ast.Assign([target], at(ast.Constant(1), place)), place)


def mark(line, place):
    """An expression that marks a line and is None."""
    return at(ast.Call(name(MARK, place), [at(ast.Constant(line), place), at(ast.Constant(1), place)], []), place)


def entered(node):
    """A statement that tells who calls a function, until enough is known; a trace function of the program would see it."""
    place, line = node.body[0], node.lineno
    known = at(ast.Subscript(name(FRESH, place), at(ast.Constant(line), place), ast.Load()), place)
    call = at(ast.Call(name(ENTER, place), [at(ast.Constant(line), place)], []), place)
    alone = at(ast.Compare(at(ast.Call(name(TRACING, place), [], []), place), [ast.Is()], [at(ast.Constant(None), place)]), place)
    return at(ast.Expr(at(ast.BoolOp(ast.And(), [known, alone, call]), place)), place)
