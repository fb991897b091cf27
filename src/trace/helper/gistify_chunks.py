# Compiles a gist by its top-level statements, each once: of two candidates most statements are the same, moved by some
# lines. Before statements that must run it puts a probe. Only for warm verification; where anything is out of the
# ordinary, pytest compiles the file as always.
import __future__
import ast
import os
import types

# Lines at the margin that go on with what stands before them.
CONTINUED = ("else", "elif", "except", "finally", "case", ")", "]", "}", "#", '"', "'")
WRONG = object()
ANNOTATIONS = "from __future__ import annotations"
PROBE = "@gistify_ran"


class Chunks:
    def __init__(self, config):
        self.config, self.known, self.wanted, self.statement_text = config, {}, frozenset(), None

    def probe(self, wanted, statement_text):
        """From now on, says with PROBE which of these statements run."""
        self.known.clear()
        self.wanted, self.statement_text = frozenset(wanted), statement_text

    def compile(self, text):
        """Code objects in order, each with its place; None where the text cannot be cut at the margin."""
        flags = __future__.annotations.compiler_flag if ANNOTATIONS in text.split("\n", 4)[:4] else 0
        out, line, waiting, joined = [], 1, "", 0
        for part in split(text):
            # A string of several lines has lines at the margin, too: what cannot stand alone is joined to what follows.
            chunk, joined = waiting + part, joined + 1
            key = (chunk, flags)
            if key not in self.known:
                try:
                    self.known[key] = self.code(chunk, flags)
                except (SyntaxError, ValueError):
                    self.known[key] = WRONG
            if self.known[key] is WRONG:
                if joined > 60:
                    return None
                waiting = chunk
                continue
            if self.known[key] is not None:
                out.append((self.known[key], line - 1))
            line += chunk.count("\n")
            waiting, joined = "", 0
        return out if not waiting else None

    def code(self, chunk, flags):
        if not chunk.strip() or chunk.strip() == ANNOTATIONS:
            return None
        tree = compile(chunk, "<chunk>", "exec", ast.PyCF_ONLY_AST | flags, True)
        if self.wanted:
            add_probes(tree, chunk, self.wanted, self.statement_text)
        if "assert" in chunk:
            from _pytest.assertion.rewrite import rewrite_asserts

            rewrite_asserts(tree, chunk.encode(), "<chunk>", self.config)
        return compile(tree, "<chunk>", "exec", flags, True)

    def forget(self):
        if len(self.known) > 20000:
            self.known.clear()


def add_probes(tree, chunk, wanted, statement_text):
    lines = chunk.split("\n")
    for parent in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(parent, field, None)
            if not isinstance(statements, list):
                continue
            out = []
            for node in statements:
                own = statement_text(lines, node)
                if own in wanted and not is_text(node):
                    # Two statements of one text are told apart by their places.
                    call = ast.Call(ast.Name(PROBE, ast.Load()), [ast.Constant(own), ast.Constant((node.lineno, hash(chunk)))], [])
                    probe = ast.copy_location(ast.Expr(call), node)
                    out.append(ast.fix_missing_locations(probe))
                out.append(node)
            statements[:] = out


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def split(text):
    lines = text.split("\n")
    starts, decorated = [0], False
    for number, line in enumerate(lines):
        if not line or line[0] in " \t" or line.startswith(CONTINUED):
            continue
        if not decorated and number:
            starts.append(number)
        decorated = line.startswith("@")
    return ["\n".join(lines[a:b]) + ("\n" if b < len(lines) else "") for a, b in zip(starts, starts[1:] + [len(lines)])]


def placed(code, path, offset):
    """The code as if compiled from its place in the file."""
    consts = tuple(placed(c, path, offset) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=path, co_firstlineno=code.co_firstlineno + offset, co_consts=consts)


def serve(chunks, path):
    """Gives pytest the compiled chunks where it would compile the file."""
    from _pytest.assertion import rewrite

    original = rewrite._rewrite_test

    def rewrite_test(fn, config):
        if str(fn) != path:
            return original(fn, config)
        codes = [placed(code, path, offset) for code, offset in chunks]
        run = compile("for code in codes: exec(code, space)", "<gistify>", "exec")

        def all_of(space):
            exec(run, {"codes": codes, "space": space})

        return os.stat(path), caller(all_of)

    rewrite._rewrite_test = rewrite_test


def caller(function):
    """A code object that calls the function with the module's namespace."""
    code = compile("'gistify'(globals())", "<gistify>", "exec", dont_inherit=True)
    return code.replace(co_consts=tuple(function if c == "gistify" else c for c in code.co_consts))
