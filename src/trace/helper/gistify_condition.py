# What a reduced gist must still do: fail with the same type, message, raising line and calls that lead there, or pass
# with the same assertions run. An expectation (JSON) and one run flow in, '' or the first difference flows out.
import ast
import re

# What differs between any two runs, as in src/score/normalize.ts.
RULES = [(re.compile(pattern), replacement) for pattern, replacement in (
    (r"0x[0-9a-fA-F]{6,}", "0xADDR"),
    (r"[^\s'\"(=:,]*pytest-of-[^\s/\\'\":]+[/\\]pytest-\d+[^\s'\":]*", "/TMP"),
    (r"(?:/private)?/var/folders/[^\s'\":]*", "/TMP"),
    (r"(?:/private)?/tmp/[^\s'\":]*", "/TMP"),
    (r"(127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0)(['\"]?(?::|, ?(?:port=)?))\d{1,5}\b", r"\1\2PORT"),
    (r"\b\d+\.\d+(?:e-\d+)? ?(?:s|secs?|seconds|ms|us|ns)\b", "TIME"),
    (r'File "[^"\n]*", line \d+', 'File "FILE", line N'),
    (r"[\w./\\-]*\b[\w-]+\.py:\d+(?::\d+)?", "FILE.py:N"),
)]


def normalize(text, folder):
    text = text.replace("\r\n", "\n")
    if folder:
        text = text.replace(folder, "/TMP")
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return text


def reason(phase, frames, folder):
    """Why a phase failed, as plain data that two runs have in common."""
    failure = phase["failure"]
    return [phase["when"], phase["outcome"], failure["type"], normalize(failure["message"], folder), normalize(failure["line"], folder), frames]


def signature(test):
    return [[p["when"], p["outcome"], p["reason"]] for p in test["phases"]]


def statement_text(lines, node):
    """A statement's own lines, indentation aside; of a compound one its header."""
    body = getattr(node, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body and body[0].lineno > node.lineno else node.end_lineno
    return "\n".join(line.strip() for line in lines[node.lineno - 1:last])


def difference(expect, tests, frames, collect_errors, executed, text, folder, probed=None):
    """'' where a run is as expected. `frames`: (test, phase number) -> calls within the gist that lead to its failure;
    `probed`: places by the text of each statement that must run, where probes told them."""
    if collect_errors or not tests:
        return "cannot be collected"
    if expect["kind"] == "failing":
        found = False
        for test in tests:
            for number, phase in enumerate(test["phases"]):
                if phase["failure"] is None:
                    continue
                why = reason(phase, frames.get((test["name"], number), []), folder)
                if why not in expect["failures"]:
                    return "fails otherwise: %s: %s" % (why[2], why[3])
                found = found or why == expect["failures"][0]
        return missing_returns(expect["returns"], text) if found else "does not fail as before"
    signatures = [signature(test) for test in tests]
    for got in signatures:
        if got not in expect["signatures"]:
            return "outcome differs"
    if expect["signatures"][0] not in signatures:
        return "outcome differs"
    return missing_asserts(expect["asserts"], executed, text) if probed is None else unprobed(expect["asserts"], probed)


def unprobed(asserts, probed):
    for one in asserts:
        if len(probed.get(one, ())) < asserts.count(one):
            return "does not run: %s" % one
    return ""


def missing_asserts(asserts, executed, text):
    wanted = {}
    for one in asserts:
        wanted[one] = wanted.get(one, 0) + 1
    if not wanted:
        return ""
    lines, executed = text.split("\n"), set(executed)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and node.lineno in executed:
            own = statement_text(lines, node)
            if wanted.get(own, 0) > 0:
                wanted[own] -= 1
    return next(("does not run: %s" % one for one, count in wanted.items() if count > 0), "")


def missing_returns(returns, text):
    """A function that returned a value and is still there still returns one: nothing fails for want of a deleted return.
    Nor do the special methods of a class that stays go, for which Python would have another."""
    wanted, seen, tree = frozenset(returns), set(), ast.parse(text)
    for name, node in functions(tree):
        seen.add(name)
        if name in wanted and not any(gives_value(n) for n in own_nodes(node)):
            return "%s returns nothing any more" % name
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for name in wanted - seen:
        owner = name.split(".")[-2:]
        if len(owner) == 2 and owner[0] in classes and owner[1].startswith("__") and owner[1].endswith("__"):
            return "%s is gone" % name
    return ""


def functions(tree, prefix=""):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = prefix + node.name
            if not isinstance(node, ast.ClassDef):
                yield name, node
            for inner in functions(node, name + "."):
                yield inner
        elif isinstance(node, ast.stmt) or isinstance(node, ast.excepthandler):
            for inner in functions(node, prefix):
                yield inner


def own_nodes(function):
    """Nodes of a function's own body, nested definitions left out."""
    stack = list(function.body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))


def gives_value(node):
    return isinstance(node, ast.Return) and node.value is not None or isinstance(node, (ast.Yield, ast.YieldFrom))
