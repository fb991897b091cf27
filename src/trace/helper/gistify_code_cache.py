# Instrumented code flows in and out of a folder, so that the next run of the same file under the same interpreter need
# not compile it again. Safe for many processes at once: a file is written whole or not at all, and never changed.
import hashlib
import importlib.util
import marshal
import os
import sys
import time

LIMIT = 256 << 20
DAY = 86400


class CodeCache:
    def __init__(self, folder, sources):
        """`sources` are the files that decide how code is instrumented."""
        self.folder, self.pending = folder, []
        sum_ = hashlib.sha256(sys.version.encode() + importlib.util.MAGIC_NUMBER)
        for source in sources:
            with open(source, "rb") as f:
                sum_.update(f.read())
        self.base = sum_

    def key(self, how, path, data):
        sum_ = self.base.copy()
        sum_.update(("%s\0%d\0%s\0" % (how, sys.flags.optimize, path)).encode("utf-8", "surrogatepass"))
        sum_.update(data)
        name = sum_.hexdigest()
        return os.path.join(self.folder, name[:2], name[2:] + ".pyc")

    def read(self, key):
        try:
            with open(key, "rb") as f:
                found = marshal.load(f)
            if time.time() - os.stat(key).st_mtime > DAY:
                os.utime(key)
            return found
        except (OSError, EOFError, ValueError, TypeError):
            return None

    def keep(self, key, value):
        self.pending.append((key, value))

    def flush(self):
        """Writes what is new; now and then the oldest goes, so that the folder stays below its limit."""
        pending, self.pending = self.pending, []
        try:
            for key, value in pending:
                os.makedirs(os.path.dirname(key), mode=0o700, exist_ok=True)
                part = "%s.%d.part" % (key, os.getpid())
                with open(part, "wb") as f:
                    marshal.dump(value, f)
                os.replace(part, key)
            if pending:
                self.trim()
        except (OSError, ValueError):
            pass  # a full disk, a folder that is not ours: the next run compiles again

    def trim(self):
        found, total = [], 0
        for folder in os.scandir(self.folder):
            if not folder.is_dir():
                continue
            for entry in os.scandir(folder.path):
                state = entry.stat()
                found.append((state.st_mtime, state.st_size, entry.path))
                total += state.st_size
        for _, size, path in sorted(found):
            if total <= LIMIT:
                break
            try:
                os.remove(path)
            except OSError:
                pass
            total -= size
