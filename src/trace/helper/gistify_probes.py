# Source of the codebase's own modules flows in, instrumented code flows out: one probe before each statement,
# placed in the AST so that line numbers, threads, forks and the program's own trace function stay as they are.
# Probes count within their file, so that instrumented code can be kept from run to run.
import ast
import hashlib
import importlib._bootstrap_external as bootstrap
import mmap
import os
import sys
import warnings

PYTEST = os.sep + "_pytest" + os.sep
# Names with two underscores at both ends are not mangled in classes.
CELLS, TOP = "__gistify_c_", "__gistify_t_"


class File:
    """One instrumented file: the places of its statements, and what its probes write to."""

    def __init__(self, path, mark):
        self.path, self.mark = path, mark
        self.places = []   # (line, column), one a statement
        self.entries = []  # [statement of a function, first statement of its body or -1], one a function
        self.cells = []    # one a statement, then one a function: its number of calls
        self.seen = []     # numbers of calls when hits were last taken
        self.shared = None  # the same cells of all forked children


class Probes:
    """All probes of one process: a cell a statement, an ordered log of top-level statements, call counts."""

    def __init__(self, root, excluded, cache=None):
        self.root = os.path.realpath(root)
        self.excluded = [os.path.realpath(x) for x in excluded]
        self.cache = cache
        self.files = []
        self.by_path = {}
        self.log = []            # (instance index, statement)
        self.instances = []      # (file index, module name, globals)
        self.importers = []      # parallel to instances: "file:line" of the codebase that had the module loaded
        self.requested = set()   # (module name, "file:line") of importlib.import_module
        self.decided, self.folders = {}, {}
        self.blind, self.broken = [], []
        self.forked = False

    def mine(self, path):
        """Whether a file is source of the codebase."""
        return bool(path) and path.endswith(".py") and self.inside(path)

    def inside(self, path):
        """Whether a file belongs to the codebase, source or not; each path is looked at once."""
        known = self.decided.get(path)
        if known is None:
            known = self.decided[path] = self._decide(path)
        return known

    def _decide(self, path):
        if not isinstance(path, str):
            return False
        real = self.real(path)
        if not real.startswith(self.root + os.sep):
            return False
        if any(real.startswith(x + os.sep) for x in self.excluded):
            return False
        return not {"site-packages", "node_modules", ".tox"} & set(real[len(self.root):].split(os.sep))

    def real(self, path):
        """As os.path.realpath, which asks about each folder of each path, but each folder is asked about once."""
        folder, name = os.path.split(path)
        known = self.folders.get(folder)
        if known is None:
            known = self.folders[folder] = os.path.realpath(folder)
        full = os.path.join(known, name)
        return os.path.realpath(full) if os.path.islink(full) else full

    def install(self):
        original = bootstrap.SourceLoader.get_code
        probes = self

        def get_code(self, fullname):
            path = self.get_filename(fullname)
            if not probes.mine(path):
                return original(self, fullname)
            return probes.code(self.get_data(path), path)

        bootstrap.SourceLoader.get_code = get_code
        self.install_import_module()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.share, after_in_child=self.use_shared)

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

        rewrite_asserts, read_pyc, rewrite_test = rewrite.rewrite_asserts, rewrite._read_pyc, rewrite._rewrite_test
        probes = self

        def instrumented(mod, source, module_path=None, config=None):
            if module_path and probes.mine(module_path):
                probes._instrument(mod, probes.file(module_path))
            return rewrite_asserts(mod, source, module_path, config)

        def read(source, *rest, **more):
            if not probes.mine(str(source)):
                return read_pyc(source, *rest, **more)
            key = probes.key(str(source), None, rewriting())
            return key and probes.cached(key, str(source))

        def compiled(fn, config):
            path = str(fn)
            if not probes.mine(path):
                return rewrite_test(fn, config)
            key = probes.key(path, None, rewriting())
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                made = rewrite_test(fn, config)
            if caught:
                return rewrite_test(fn, config)
            if key:
                probes.keep(key, path, made[1])
            return made

        def rewriting():
            """What decides how pytest rewrites assertions."""
            import pytest

            hook = next((h for h in sys.meta_path if isinstance(h, rewrite.AssertionRewritingHook)), None)
            try:
                passes = bool(hook.config.getini("enable_assertion_pass_hook"))
            except Exception:
                passes = False
            return "pytest %s %d" % (pytest.__version__, passes)

        rewrite.rewrite_asserts = instrumented
        rewrite._read_pyc = read
        rewrite._rewrite_test = compiled

    def key(self, path, data, how):
        """Under which instrumented code is kept; None where nothing is."""
        if self.cache is None:
            return None
        if data is None:
            try:
                with open(path, "rb") as f:
                    data = f.read()
            except OSError:
                return None
        return self.cache.key(how, path, data)

    def cached(self, key, path):
        found = self.cache.read(key)
        if found is None:
            return None
        file = self.file(path)
        if not file.cells:
            self._ready(file, [tuple(x) for x in found[0]], [list(x) for x in found[1]])
        return found[2]

    def keep(self, key, path, code):
        file = self.file(path)
        self.cache.keep(key, (tuple(file.places), tuple(tuple(x) for x in file.entries), code))

    def code(self, data, path):
        key = self.key(path, data, "module")
        code = key and self.cached(key, path)
        if code:
            return code
        with warnings.catch_warnings(record=True) as caught:
            # What compiling warns of must be heard in each run: such a file is compiled again, and not kept.
            warnings.simplefilter("always")
            try:
                code = self._compile(data, path)
            except (SyntaxError, ValueError):
                code = None
        if code is None or caught:
            return self._compile(data, path)
        if key and path not in self.blind:
            self.keep(key, path, code)
        return code

    def _compile(self, data, path):
        try:
            tree = ast.parse(data, path)
        except (SyntaxError, ValueError):
            if path not in self.broken:
                self.broken.append(path)
            return compile(data, path, "exec", dont_inherit=True)
        try:
            self._instrument(tree, self.file(path))
            return compile(tree, path, "exec", dont_inherit=True)
        except RecursionError:
            if path not in self.blind:
                self.blind.append(path)
            return compile(data, path, "exec", dont_inherit=True)

    def file(self, path):
        index = self.by_path.get(path)
        if index is None:
            index = self.by_path[path] = len(self.files)
            self.files.append(File(path, hashlib.sha256(os.fsencode(path)).hexdigest()[:12] + "__"))
        return self.files[index]

    def _ready(self, file, places, entries):
        """Makes what the probes of a file write to; its code finds it among the builtins."""
        import builtins

        file.places, file.entries, file.seen = places, entries, [0] * len(entries)
        file.cells = [0] * (len(places) + len(entries))
        setattr(builtins, CELLS + file.mark, file.cells)
        setattr(builtins, TOP + file.mark, self._top(self.by_path[file.path], file.cells))

    def _top(self, index, cells):
        """Called before each top-level statement: its order and its module's namespace are remembered."""
        frame_of, instances, log, importers = sys._getframe, self.instances, self.log, self.importers
        space, instance, known = None, -1, set()

        def top(i):
            nonlocal space, instance, known
            now = frame_of(1).f_globals
            if now is not space:
                space, instance, known = now, len(instances), set()
                instances.append((index, now.get("__name__", ""), now))
                importers.append(self.importer(frame_of(2)))
            if i not in known:
                known.add(i)
                log.append((instance, i))
            cells[i] = 1

        return top

    def take(self):
        """Per file which statements have run since the last time, as bytes; a new phase starts."""
        out = []
        for file in self.files:
            count = len(file.places)
            hits = bytearray(count)
            for cells in (file.cells, file.shared):
                if cells is None:
                    continue
                for i in range(count):
                    if cells[i]:
                        hits[i], cells[i] = 1, 0
            # The number of calls stands for the probe of the first statement, too.
            for i, (_, first) in enumerate(file.entries):
                calls = file.cells[count + i] + (file.shared[count + i] if file.shared else 0)
                if calls != file.seen[i]:
                    file.seen[i] = calls
                    if first >= 0:
                        hits[first] = 1
            out.append(bytes(hits))
        return out

    def calls(self):
        """Calls of the codebase's functions in this process so far."""
        return sum(sum(file.cells[len(file.places):]) for file in self.files)

    def share(self):
        """Before a fork: memory that the children write to and this process reads."""
        if self.forked:
            return
        fresh = [file for file in self.files if file.shared is None and file.cells]
        size = sum(len(file.cells) for file in fresh)
        if size == 0:
            return
        memory, at = memoryview(mmap.mmap(-1, 8 * size)).cast("q"), 0
        for file in fresh:
            file.shared = memory[at:at + len(file.cells)]
            at += len(file.cells)

    def use_shared(self):
        import builtins

        if self.forked:
            return
        self.forked = True
        for file in self.files:
            if file.shared is not None:
                setattr(builtins, CELLS + file.mark, file.shared)

    def _instrument(self, tree, file):
        places, entries = [], []
        Expr, Assign, Call, Name, Load, Subscript, Store, Constant = (
            ast.Expr, ast.Assign, ast.Call, ast.Name, ast.Load(), ast.Subscript, ast.Store(), ast.Constant)
        old = sys.version_info < (3, 9)
        cells, top_name = CELLS + file.mark, TOP + file.mark
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        definitions = functions + (ast.ClassDef,)
        TryStar = getattr(ast, "TryStar", ast.Try)
        Match = getattr(ast, "Match", ())
        late = []  # constants that are known only when all statements are counted

        def place(node, at):
            node.lineno, node.col_offset = at.lineno, at.col_offset
            node.end_lineno, node.end_col_offset = at.lineno, at.col_offset
            return node

        def index(constant, at):
            place(constant, at)
            return place(ast.Index(constant), at) if old else constant

        def probe(i, at, top):
            if top:
                return place(Expr(place(Call(place(Name(top_name, Load), at), [place(Constant(i), at)], []), at)), at)
            target = place(Subscript(place(Name(cells, Load), at), index(Constant(i), at), Store), at)
            return place(Assign([target], place(Constant(1), at), lineno=at.lineno), at)

        def count(k, at):
            number = Constant(k)
            late.append(number)
            target = place(Subscript(place(Name(cells, Load), at), index(number, at), Store), at)
            return place(ast.AugAssign(target, ast.Add(), place(Constant(1), at)), at)

        def is_text(node):
            return isinstance(node, Expr) and isinstance(node.value, Constant) and isinstance(node.value.value, str)

        def block(body, top, head, function=None):
            """Puts probes into a block; `function` is the statement whose calls its head counts."""
            out = []
            for position, node in enumerate(body):
                i = len(places)
                places.append((node.lineno, node.col_offset))
                kind = type(node)
                plain = head and position == 0 and is_text(node)
                if not plain and not (kind is ast.ImportFrom and node.module == "__future__" and top):
                    at = node
                    if kind in definitions and node.decorator_list:
                        at = node.decorator_list[0]
                    if function is None:
                        out.append(probe(i, at, top))
                    else:
                        out.append(count(len(entries), at))
                        entries.append([function, i])
                        function = None
                out.append(node)
                if kind in functions:
                    node.body = block(node.body, False, True, i)
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
            if function is not None:
                # Nothing but a docstring.
                out.append(count(len(entries), body[0]))
                entries.append([function, -1])
            return out

        tree.body = block(tree.body, True, True)
        for number in late:
            number.value += len(places)
        if not file.cells:
            self._ready(file, places, entries)

    def importer(self, frame):
        """The nearest line of the codebase that asked for a module; "" where pytest or nobody of the codebase did."""
        for _ in range(60):
            if frame is None:
                break
            name = frame.f_code.co_filename
            if self.mine(name):
                return "%s:%d" % (self.real(name)[len(self.root) + 1:].replace(os.sep, "/"), frame.f_lineno)
            if PYTEST in name and not name.endswith("rewrite.py"):
                break
            frame = frame.f_back
        return ""
