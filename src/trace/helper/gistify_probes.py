# Source of the codebase's own modules flows in, instrumented code flows out: one probe before each statement,
# placed in the AST so that line numbers, threads, forks and the program's own trace function stay as they are.
import ast
import importlib._bootstrap_external as bootstrap
import marshal
import mmap
import os
import sys

HITS, TOP, CALLS = "__gistify_h__", "__gistify_t__", "__gistify_n__"
CAPACITY = 1 << 22
PYTEST = os.sep + "_pytest" + os.sep


class Probes:
    """All probes of one process: a shared byte a statement, an ordered log of top-level statements, call counts."""

    def __init__(self, root, excluded, cache=None):
        self.root = os.path.realpath(root)
        self.excluded = [os.path.realpath(x) for x in excluded]
        self.cache = cache
        self.hits = mmap.mmap(-1, CAPACITY)
        self.counts = []
        self.used = 0
        self.files = []          # [path, first id, [(line, col)...], {local id: count id}]
        self.by_path = {}
        self.owner = []          # start ids, ascending, parallel to files
        self.log = []            # (instance index, statement id)
        self.instances = []      # (file index, module name, globals)
        self.importers = []      # parallel to instances: "file:line" of the codebase that had the module loaded
        self.requested = set()   # (module name, "file:line") of importlib.import_module
        self.current = {}        # file index -> (id of globals, instance index)
        self.decided = {}
        self.blind = []

    def mine(self, path):
        known = self.decided.get(path)
        if known is None:
            known = self.decided[path] = self._decide(path)
        return known

    def _decide(self, path):
        if not path or not path.endswith(".py"):
            return False
        real = os.path.realpath(path)
        if not real.startswith(self.root + os.sep):
            return False
        if any(real.startswith(x + os.sep) for x in self.excluded):
            return False
        return not {"site-packages", "node_modules", ".tox"} & set(real[len(self.root):].split(os.sep))

    def install(self):
        import builtins

        setattr(builtins, HITS, self.hits)
        setattr(builtins, CALLS, self.counts)
        setattr(builtins, TOP, self.top)
        original = bootstrap.SourceLoader.get_code
        probes = self

        def get_code(self, fullname):
            path = self.get_filename(fullname)
            if not probes.mine(path):
                return original(self, fullname)
            return probes.code(self.get_data(path), path, fullname)

        bootstrap.SourceLoader.get_code = get_code
        self.install_import_module()

    def install_import_module(self):
        """`importlib.import_module` of a module that is already loaded runs nothing of it: ask who asked."""
        import importlib

        frozen = importlib._bootstrap
        original, requested = frozen._gcd_import, self.requested

        def _gcd_import(name, package=None, level=0):
            caller = sys._getframe(1)
            if caller.f_code.co_filename == importlib.__file__ and isinstance(name, str):
                full = name if not level else frozen._resolve_name(name, package, level)
                requested.add((full, self.importer(caller)))
            return original(name, package, level)

        frozen._gcd_import = _gcd_import

    def install_pytest(self):
        """pytest compiles test modules itself: join its assertion rewriting, never its cached byte code."""
        from _pytest.assertion import rewrite

        rewrite_asserts, read_pyc = rewrite.rewrite_asserts, rewrite._read_pyc

        def instrumented(mod, source, module_path=None, config=None):
            if module_path and self.mine(module_path):
                self.add(mod, module_path, source)
            return rewrite_asserts(mod, source, module_path, config)

        rewrite.rewrite_asserts = instrumented
        rewrite._read_pyc = lambda source, *rest, **more: None if self.mine(str(source)) else read_pyc(source, *rest, **more)

    def code(self, data, path, fullname):
        try:
            tree = ast.parse(data, path)
        except SyntaxError:
            return compile(data, path, "exec", dont_inherit=True)
        try:
            self.add(tree, path, data)
            return compile(tree, path, "exec", dont_inherit=True)
        except RecursionError:
            self.blind.append(path)
            return compile(data, path, "exec", dont_inherit=True)

    def add(self, tree, path, data):
        if path in self.by_path:
            self._instrument(tree, self.files[self.by_path[path]])
            return
        entry = [path, self.used, [], {}]
        self.by_path[path] = len(self.files)
        self.files.append(entry)
        self.owner.append(self.used)
        self._instrument(tree, entry)
        self.used += len(entry[2])

    def _instrument(self, tree, entry):
        first, places, counted = entry[1], [], entry[3]
        Expr, Assign, Call, Name, Load, Subscript, Store, Constant = (
            ast.Expr, ast.Assign, ast.Call, ast.Name, ast.Load(), ast.Subscript, ast.Store(), ast.Constant)
        index = (lambda i: ast.Index(Constant(i))) if sys.version_info < (3, 9) else Constant
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        definitions = functions + (ast.ClassDef,)
        TryStar = getattr(ast, "TryStar", ast.Try)
        Match = getattr(ast, "Match", ())
        counts = self.counts

        def place(node, at):
            node.lineno, node.col_offset = at.lineno, at.col_offset
            node.end_lineno, node.end_col_offset = at.lineno, at.col_offset
            return node

        def probe(i, at, top):
            if top:
                return place(Expr(place(Call(place(Name(TOP, Load), at), [place(Constant(i), at)], []), at)), at)
            target = place(Subscript(place(Name(HITS, Load), at), fix(index(i), at), Store), at)
            return place(Assign([target], place(Constant(1), at), lineno=at.lineno), at)

        def fix(node, at):
            for x in ast.walk(node):
                if hasattr(x, "lineno") or "lineno" in getattr(x, "_attributes", ()):
                    place(x, at)
            return node

        def count(k, at):
            target = place(Subscript(place(Name(CALLS, Load), at), fix(index(k), at), Store), at)
            return place(ast.AugAssign(target, ast.Add(), place(Constant(1), at)), at)

        def block(body, top, head):
            out = []
            for position, node in enumerate(body):
                i = first + len(places)
                places.append((node.lineno, node.col_offset))
                kind = type(node)
                plain = head and position == 0 and kind is Expr and isinstance(node.value, Constant) and isinstance(node.value.value, str)
                if not plain and not (kind is ast.ImportFrom and node.module == "__future__" and top):
                    at = node
                    if kind in definitions and node.decorator_list:
                        at = node.decorator_list[0]
                    out.append(probe(i, at, top))
                out.append(node)
                if kind in functions:
                    inner = block(node.body, False, True)
                    k = counted.get(i)
                    if k is None:
                        k = counted[i] = len(counts)
                        counts.append(0)
                    skip = 1 if isinstance(node.body[0], Expr) and isinstance(node.body[0].value, Constant) and isinstance(node.body[0].value.value, str) else 0
                    inner.insert(skip, count(k, node.body[0]))
                    node.body = inner
                elif kind is ast.ClassDef:
                    node.body = block(node.body, False, True)
                elif kind in (ast.If, ast.For, ast.While, ast.AsyncFor):
                    node.body = block(node.body, top, False)
                    node.orelse = block(node.orelse, top, False)
                elif kind in (ast.With, ast.AsyncWith):
                    node.body = block(node.body, top, False)
                elif kind is ast.Try or kind is TryStar:
                    node.body = block(node.body, top, False)
                    for handler in node.handlers:
                        handler.body = block(handler.body, top, False)
                    node.orelse = block(node.orelse, top, False)
                    node.finalbody = block(node.finalbody, top, False)
                elif Match and kind is Match:
                    for case in node.cases:
                        case.body = block(case.body, top, False)
            return out

        tree.body = block(tree.body, True, True)
        if not entry[2]:
            entry[2] = places

    def top(self, i):
        """Called before each top-level statement: its order and its module's namespace are remembered."""
        space = sys._getframe(1).f_globals
        low, high = 0, len(self.owner)
        while high - low > 1:
            middle = (low + high) // 2
            if self.owner[middle] <= i:
                low = middle
            else:
                high = middle
        known = self.current.get(low)
        if known is None or known[0] is not space:
            self.instances.append((low, space.get("__name__", ""), space))
            self.importers.append(self.importer(sys._getframe(2)))
            known = self.current[low] = (space, len(self.instances) - 1, set())
        if i not in known[2]:
            known[2].add(i)
            self.log.append((known[1], i))
        self.hits[i] = 1

    def importer(self, frame):
        """The nearest line of the codebase that asked for a module; "" where pytest or nobody of the codebase did."""
        for _ in range(60):
            if frame is None:
                break
            name = frame.f_code.co_filename
            if self.mine(name):
                return "%s:%d" % (os.path.realpath(name)[len(self.root) + 1:].replace(os.sep, "/"), frame.f_lineno)
            if PYTEST in name and not name.endswith("rewrite.py"):
                break
            frame = frame.f_back
        return ""
