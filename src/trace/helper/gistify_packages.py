# Loaded modules flow in, the installed distributions that they came from flow out, as importlib.metadata would tell
# but without reading the file lists of those whose name says enough.
import os
import re
import sys


def packages(loaded):
    """Versions of the distributions that hold any of the loaded modules, by their names."""
    tops = {name.split(".")[0] for name in loaded} - set(getattr(sys, "stdlib_module_names", ()))
    found, rest = {}, []
    for folder in dict.fromkeys(sys.path):
        try:
            entries = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for entry in entries:
            if not entry.endswith((".dist-info", ".egg-info")):
                continue
            info, name = os.path.join(folder, entry), entry.split("-")[0].lower()
            mine = {top for top in tops if top.lower() == name}
            if mine:
                tops -= mine
                describe(info, found)
            else:
                rest.append(info)
    for info in rest:
        if tops and tops & top_level(info):
            describe(info, found)
    return dict(sorted(found.items()))


def describe(info, found):
    for file in ("METADATA", "PKG-INFO"):
        head = read(os.path.join(info, file), 4096)
        name, version = (re.search(r"(?m)^%s:[ \t]*(\S+)" % key, head) for key in ("Name", "Version"))
        if name and version:
            found.setdefault(name.group(1), version.group(1))
            return


def top_level(info):
    """Names of the modules that a distribution brings: declared, else as its list of files shows."""
    declared = read(os.path.join(info, "top_level.txt")).split()
    if declared:
        return set(declared)
    listed = re.findall(r'(?m)^"?([^/,\n"]+)', read(os.path.join(info, "RECORD")))
    return {name[:-3] if name.endswith(".py") else name.split(".")[0] for name in set(listed)}


def read(path, size=-1):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read(size)
    except OSError:
        return ""
