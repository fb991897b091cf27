# Watches, through audit events (PEP 578), what a run does to the codebase: data files read, folders listed,
# children started. A run in place that is about to write there is stopped before anything is written.
import os
import re
import sys

WRITES = {
    "os.mkdir": (0,), "os.rename": (0, 1), "os.remove": (0,), "os.rmdir": (0,), "os.link": (0, 1), "os.symlink": (1,),
    "os.truncate": (0,), "os.chmod": (0,), "os.utime": (0,), "shutil.rmtree": (0,), "shutil.move": (0, 1), "shutil.copyfile": (1,),
}
CHILDREN = {"subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.spawn", "pty.spawn"}
# Events whose last argument is the descriptor of the folder that the path is relative to (-1 where none is).
RELATIVE = {"os.remove", "os.rmdir", "os.rename", "os.link"}
# Commands that only tell about the machine: libraries ask them at import.
HARMLESS = {"lscpu", "uname", "nproc", "sysctl", "ldconfig", "/sbin/ldconfig", "locale", "which", "getconf", "lsb_release", "file"}
STOPPED = 97
# Files of the interpreter and of pytest that read sources, bytecode and settings for their own ends.
MACHINERY = tuple(os.sep + x for x in ("importlib%s_bootstrap_external.py" % os.sep, "linecache.py", "inspect.py", "traceback.py", "zipimport.py", "runpy.py", "warnings.py"))
PYTEST = os.sep + "_pytest" + os.sep
# They search the import paths for installed distributions: only what they read of one is asked for.
METADATA = tuple(os.sep + os.path.join(x, "__init__.py") for x in (os.path.join("importlib", "metadata"), "importlib_metadata", "pkg_resources"))
# Events that name another machine, and which of their arguments does.
NETWORK = {"socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.connect": 1, "socket.sendto": 1}
LOCAL = re.compile(r"localhost$|127\.|::1$|0\.0\.0\.0$|::$|/|\0|$").match
# Events that come by the million and tell nothing.
CHATTY = {"builtins.id", "sys._getframe", "object.__getattr__", "object.__setattr__", "import", "compile", "exec", "marshal.loads", "code.__new__"}


class Guard:
    def __init__(self, root, in_place, result, excluded):
        self.root, self.in_place, self.out = os.path.realpath(root), in_place, result
        self.getcwd = os.getcwd
        self.excluded = tuple(x + os.sep for x in excluded)
        self.read, self.listed, self.children, self.variables, self.written = {}, {}, [], set(), set()
        self.entered, self.relative, self.readers, self.probed, self.folder = set(), set(), {}, {}, set()
        self.over = False
        self.network = set()

    def inside(self, path):
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, str):
            try:
                path = os.fspath(path)
            except TypeError:
                return None
            if not isinstance(path, str):
                return None
        try:
            full = path if os.path.isabs(path) else os.path.join(self.getcwd(), path)
        except OSError:
            # The working folder is gone.
            return None
        full = os.path.normpath(full)
        if not full.startswith(self.root + os.sep) and full != self.root:
            full = os.path.realpath(full) if os.path.islink(os.path.dirname(full)) else full
            if not full.startswith(self.root + os.sep):
                return None
        if full.startswith(self.excluded):
            return None
        return full[len(self.root) + 1:].replace(os.sep, "/")

    def stop(self, what, path):
        if not self.in_place:
            self.written.add(path)
            return
        self.in_place = False
        self.out.fatal("writes", "%s %s" % (what, path))
        os._exit(STOPPED)

    def reader(self, depth, loading=True):
        """Who asks: "file:line" of the nearest code of the codebase, "" where a library does, None for machinery.

        With `loading`, the import system is machinery; what it reads besides modules it reads for others, as does what
        looks for installed distributions.
        """
        frame, prefix = sys._getframe(depth), self.root + os.sep
        for _ in range(60):
            if frame is None:
                return ""
            name = frame.f_code.co_filename
            if name.startswith(prefix) and not name.startswith(self.excluded):
                return "%s:%d" % (name[len(prefix):].replace(os.sep, "/"), frame.f_lineno)
            if name.endswith(MACHINERY) or PYTEST in name or (loading and (name.startswith("<frozen importlib") or name.endswith(METADATA))):
                return None
            frame = frame.f_back
        return ""

    def note(self, table, text, name, depth, loading=True):
        """Remembers that `name` was asked for, and by whom; at most some askers of each."""
        known = self.readers.setdefault(name, set())
        if self.over or len(known) >= 20:
            return
        by = self.reader(depth + 1, loading)
        if by is None:
            return
        known.add(by)
        if text not in table:
            table[text] = name

    def refuse(self, what):
        frame = sys._getframe(2)
        while frame is not None and not frame.f_code.co_filename.startswith(self.root + os.sep):
            frame = frame.f_back
        place = "" if frame is None else " (%s:%d)" % (frame.f_code.co_filename[len(self.root) + 1:], frame.f_lineno)
        self.out.fatal("refused", what + place)
        os._exit(STOPPED)

    def install(self):
        # Whoever started the run must outlive it.
        starter = os.getppid()
        starters = {starter, -1}
        if hasattr(os, "getpgid") and os.getpgid(starter) != os.getpgrp():
            starters.add(-os.getpgid(starter))
        modes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        read, listed, probed, inside = self.read, self.listed, self.probed, self.inside

        def hook(event, args):
            if event in CHATTY:
                return
            if event == "open":
                path, mode, flags = args
                if isinstance(path, int):
                    return
                if flags & modes:
                    name = inside(path)
                    if name is not None:
                        self.stop("writes", name)
                elif isinstance(path, (str, bytes)) or hasattr(path, "__fspath__"):
                    text = os.fspath(path)
                    if isinstance(text, bytes):
                        text = os.fsdecode(text)
                    if not text.endswith((".pyc", ".so")):
                        name = inside(text)
                        if name is not None:
                            self.note(read, text, name, 2, text.endswith(".py"))
                            if text in read and not os.path.isabs(text) and os.path.exists(text):
                                self.relative.add(name)
            elif event in ("os.listdir", "os.scandir"):
                if args[0] is not None and not isinstance(args[0], int):
                    text = os.fspath(args[0])
                    if isinstance(text, str):
                        name = inside(text)
                        if name is not None:
                            self.note(listed, text, name, 2)
            elif event == "sqlite3.connect":
                path = os.fsdecode(args[0]) if isinstance(args[0], (str, bytes)) or hasattr(args[0], "__fspath__") else ":memory:"
                if path.startswith("file:"):
                    path = path[5:].split("?")[0].replace("///", "/")
                name = inside(path) if path and not path.startswith(":memory:") else None
                if name is not None:
                    read[path] = name
                    self.readers.setdefault(name, set()).add("")
                    self.stop("opens the database", name)
            elif event == "os.chdir":
                if not isinstance(args[0], int):
                    name = inside(args[0])
                    if name is not None:
                        self.entered.add(name)
                        self.readers.setdefault(name, set()).add(self.reader(2) or "")
            elif event in WRITES:
                folder = next((a for a in reversed(args) if isinstance(a, int) and a >= 0), None) if event in RELATIVE else None
                for i in WRITES[event]:
                    if i < len(args) and not isinstance(args[i], int):
                        name = inside(args[i] if folder is None else beside(folder, args[i]))
                        if name is not None:
                            self.stop(event, name)
            elif event in NETWORK:
                host = args[NETWORK[event]]
                host = host[0] if isinstance(host, tuple) and host else host
                if isinstance(host, str) and not LOCAL(host):
                    self.network.add(host[:200])
            elif event == "os.kill" or event == "os.killpg":
                target, number = args
                if number and (-target if event == "os.killpg" else target) in starters:
                    self.refuse("sends the signal %d to the process that started the run" % number)
            elif event in CHILDREN:
                command = args[1] if event == "subprocess.Popen" and len(args) > 1 else args[0]
                name = command[0] if isinstance(command, (list, tuple)) and command else str(command).split(" ")[0]
                self.children.append(str(name)[:200])
                if self.in_place and os.path.basename(str(name)) not in HARMLESS:
                    self.stop("starts a child process", str(args[0])[:200])

        def beside(descriptor, path):
            try:
                return os.path.join(os.readlink("/proc/self/fd/%d" % descriptor), os.fsdecode(path))
            except OSError:
                return path

        sys.addaudithook(hook)
        # No audit event tells of `os.stat`: whoever only asks whether a file is there needs it to be there too.
        stat = os.stat

        def watching_stat(path, *args, **options):
            found = stat(path, *args, **options)
            if isinstance(path, (str, bytes)) or hasattr(path, "__fspath__"):
                name = inside(path)
                if name is not None and name != "":
                    self.note(probed, name, name, 2)
            return found

        getcwd = os.getcwd

        def watching_getcwd():
            if len(self.folder) < 20:
                by = self.reader(2)
                if by:
                    self.folder.add(by)
            return getcwd()

        watching_getcwd.__name__, watching_getcwd.__qualname__, watching_getcwd.__doc__ = "getcwd", "getcwd", getcwd.__doc__
        os.getcwd = watching_getcwd
        watching_stat.__name__, watching_stat.__qualname__, watching_stat.__doc__ = "stat", "stat", stat.__doc__
        os.stat = watching_stat
        for collection in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if stat in collection:
                collection.add(watching_stat)
        kind = type(os.environ)
        original, root, variables = kind.__getitem__, self.root + os.sep, self.variables

        def __getitem__(self, key):
            frame = sys._getframe(1)
            for _ in range(3):
                if frame is None:
                    break
                if frame.f_code.co_filename.startswith(root):
                    variables.add(key if isinstance(key, str) else repr(key))
                    break
                frame = frame.f_back
            return original(self, key)

        kind.__getitem__ = __getitem__

    def import_paths(self):
        found = [os.path.realpath(x or os.getcwd()) for x in sys.path if isinstance(x, str)]
        inside = [x[len(self.root) + 1:].replace(os.sep, "/") for x in found if (x + os.sep).startswith(self.root + os.sep)]
        return list(dict.fromkeys(inside))

    def result(self):
        self.over = True  # what follows asks for the helper's own ends
        there = lambda x: bool(x) and not x.startswith(".git/")
        files = sorted({x for x in self.read.values() if there(x) and os.path.isfile(os.path.join(self.root, x))})
        folders = sorted({x for x in self.listed.values() if x})
        probed = sorted(x for x in set(self.probed.values()) - set(files) - set(folders) if there(x))
        return {
            "dataFiles": files,
            "listedFolders": folders,
            "probed": probed,
            "readers": {x: sorted(self.readers.get(x, ())) for x in files + folders + probed + sorted(self.entered)},
            "entered": sorted(x for x in self.entered if x),
            "relativeReads": sorted(self.relative),
            "askedFolder": sorted(self.folder),
            "importPaths": self.import_paths(),
            "children": self.children,
            "written": sorted(self.written),
            "variables": sorted(self.variables),
            "network": sorted(self.network),
        }
