"""Which lines of a Python file coverage.py would call executable: text in, line numbers out.

Must hold: for one interpreter the answer equals `coverage.parser.PythonParser.statements` under coverage.py's default
exclusions, without coverage.py being installed. Standard library only, Python 3.8 and later.
"""
import ast
import dis
import io
import re
import token
import tokenize

# What coverage.py leaves out by default: pragmas, bodies that are only `...`, and blocks for type checkers.
# The patterns are searched as one, over the whole text, because their `\s*` may reach over blank lines.
_EXCLUDED = re.compile(
    "|".join(
        "(?:%s)" % pattern
        for pattern in (
            r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)",
            r"^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$)",
            r"if (typing\.)?TYPE_CHECKING:",
        )
    ),
    re.MULTILINE,
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_CASE = getattr(ast, "match_case", ())
_CARRIERS = (ast.stmt, ast.excepthandler) + ((_CASE,) if _CASE else ())


def executable_lines(source, filename="<gist>"):
    """The first lines of all executable statements, and for each line of a multi-line statement its first line.

    Raises SyntaxError (or tokenize.TokenError) where the text is not Python.
    """
    text = source.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    if text and not text.endswith("\n"):
        text += "\n"
    tree = ast.parse(text, filename)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    first_of = _first_lines(tokens)
    code_lines = _code_lines(compile(text, filename, "exec", dont_inherit=True)) if _has_code(tokens) else set()
    excluded = {first_of.get(line, line) for line in _excluded_lines(text, tokens)}
    docstrings = set()
    _carry(tree, code_lines, excluded, docstrings)
    ignored = excluded | docstrings
    statements = {first_of.get(line, line) for line in code_lines - ignored} - ignored
    return statements, first_of


def _is_code(tok):
    return bool(tok.string.strip()) and tok.type != tokenize.COMMENT


def _has_code(tokens):
    return any(_is_code(tok) for tok in tokens)


def _first_lines(tokens):
    first_of = {}
    first = 0
    for tok in tokens:
        if tok.type == token.NEWLINE:
            if first and tok.end[0] != first:
                for line in range(first, tok.end[0] + 1):
                    first_of[line] = first
            first = 0
        if _is_code(tok) and not first:
            first = tok.start[0]
    return first_of


def _code_lines(code):
    """All line numbers in the line tables of a code object and of those inside it."""
    lines = set()
    todo = [code]
    while todo:
        current = todo.pop()
        todo.extend(const for const in current.co_consts if hasattr(const, "co_consts"))
        if current.co_name == "__annotate__":  # annotations evaluated late, mostly never
            continue
        if hasattr(current, "co_lines"):
            lines.update(line for _, _, line in current.co_lines() if line)
        else:  # before Python 3.10
            lines.update(line for _, line in dis.findlinestarts(current) if line)
    return lines


def _excluded_lines(text, tokens):
    """Lines that match an exclusion, and the suites that an excluded line opens."""
    excluded = set()
    for match in _EXCLUDED.finditer(text):
        start = text.count("\n", 0, match.start()) + 1
        excluded.update(range(start, start + text.count("\n", match.start(), match.end()) + 1))
    depth = 0  # of indentation
    nesting = 0  # of brackets
    first = 0  # line of the statement we are in
    suite = None  # depth at which the excluded suite was opened
    for tok in tokens:
        if tok.type == token.INDENT:
            depth += 1
        elif tok.type == token.DEDENT:
            depth -= 1
        elif tok.type == token.OP:
            if tok.string == ":" and nesting == 0:
                if suite is None and not excluded.isdisjoint(range(first, tok.end[0] + 1)):
                    excluded.add(tok.end[0])
                    suite = depth
            elif tok.string in ("(", "[", "{"):
                nesting += 1
            elif tok.string in (")", "]", "}"):
                nesting -= 1
        elif tok.type == token.NEWLINE:
            first = 0
        if _is_code(tok) and not first:
            first = tok.start[0]
            if suite is not None and depth <= suite:
                suite = None
            if suite is not None:
                excluded.add(tok.end[0])
    return excluded


def _carry(tree, code_lines, excluded, docstrings):
    """Collects docstring lines, and extends exclusions from headers to bodies; changes both sets in place."""
    todo = [tree]
    while todo:  # the order is part of the definition: an exclusion found earlier can reach a later node
        node = todo.pop()
        todo.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, _CARRIERS))
        if isinstance(node, _DEFINITIONS + (ast.Module,)) and node.body:
            head = node.body[0]
            if isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant) and isinstance(head.value.value, str):
                docstrings.update(range(head.lineno, head.end_lineno + 1))
        if isinstance(node, _DEFINITIONS):
            first = min([d.lineno for d in node.decorator_list], default=node.lineno)
            if not excluded.isdisjoint(range(first, node.lineno + 1)):
                excluded.update(range(first, node.end_lineno + 1))
        if _CASE and isinstance(node, _CASE) and _always_matches(node):
            body = code_lines & set(range(node.body[0].lineno, node.body[-1].end_lineno + 1))
            if body and body <= excluded:
                excluded.update(range(node.pattern.lineno, node.pattern.end_lineno + 1))


def _always_matches(case):
    """Whether a `case` is the `else` of its `match`: no guard, and a wildcard or a bare name."""
    if case.guard is not None:
        return False
    pattern = case.pattern
    while isinstance(pattern, ast.MatchOr):
        pattern = pattern.patterns[-1]
    while isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None
