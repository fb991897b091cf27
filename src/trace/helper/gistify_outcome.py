# What of an exception and of captured text goes into an outcome.
import hashlib
import linecache
import os

# Longer captured text is shown in part; its middle is compared by its hash.
SHOWN = 4 << 20
HERE = os.path.dirname(os.path.abspath(__file__))


def describe_error(kind, value, tb):
    line, last = "", None
    while tb is not None:
        # A recursion without end may end in what watches it.
        if last is None or os.path.dirname(tb.tb_frame.f_code.co_filename) != HERE:
            last = tb
        tb = tb.tb_next
    if last is not None:
        line = linecache.getline(last.tb_frame.f_code.co_filename, last.tb_lineno).strip()
    try:
        message = str(value)
    except Exception as error:
        message = "<unprintable: %s>" % type(error).__name__
    module = getattr(kind, "__module__", "")
    name = kind.__qualname__ if module in ("builtins", None) else "%s.%s" % (module, kind.__qualname__)
    return {"type": name, "message": message, "line": line}


def shorten(text):
    if len(text) <= 2 * SHOWN:
        return text
    middle = text[SHOWN:-SHOWN]
    digest = hashlib.sha256(middle.encode("utf-8", "surrogatepass")).hexdigest()
    return "%s\n[%d more characters, SHA-256 %s]\n%s" % (text[:SHOWN], len(middle), digest, text[-SHOWN:])
