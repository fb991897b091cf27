# Stands inside a container for one run of the engine: requests (a JSON object a line) come in on stdin, answers go out
# on stdout. When stdin ends, for whatever reason, everything that was started dies and every file made is removed.
# Python 3.8+, standard library only.
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ALIVE = "/dev/shm/.gistify-alive"
LIMIT = 1 << 20
answering = threading.Lock()
groups = set()
folders = []


def answer(message):
    line = json.dumps(message).encode("ascii") + b"\n"
    with answering:
        view = memoryview(line)
        while view:
            view = view[os.write(OUT, view):]


def tail(stream, into):
    kept = b""
    while True:
        chunk = os.read(stream.fileno(), 65536)
        if not chunk:
            break
        kept = (kept + chunk)[-LIMIT:]
    into.append(kept.decode("utf-8", "replace"))


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass


def out_of_memory():
    """How many processes the container's memory limit has killed."""
    for name in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(name) as f:
                found = re.search(r"^oom_kill (\d+)", f.read(), re.M)
            if found:
                return int(found.group(1))
        except OSError:
            pass
    return 0


def run(request):
    started, killed = time.monotonic(), out_of_memory()
    child = subprocess.Popen(
        request["argv"], cwd=request["cwd"], env=request["env"], start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    groups.add(child.pid)
    out, err = [], []
    readers = [threading.Thread(target=tail, args=pair, daemon=True) for pair in ((child.stdout, out), (child.stderr, err))]
    for reader in readers:
        reader.start()
    late = False
    try:
        status = child.wait(request["timeout"])
    except subprocess.TimeoutExpired:
        late = True
    # Children that outlive the command belong to the same group and go with it.
    kill_group(child.pid)
    status = child.wait()
    groups.discard(child.pid)
    for reader in readers:
        # What left the group may hold the pipes open.
        reader.join(0.5)
    return {
        "status": None if late else 128 - status if status < 0 else status,
        "stdout": "".join(out), "stderr": "".join(err), "seconds": time.monotonic() - started,
        "outOfMemory": out_of_memory() > killed,
    }


def folder(request):
    made = tempfile.mkdtemp(prefix="gistify-%s-" % request["prefix"])
    folders.append(made)
    return made


def write(request):
    os.makedirs(os.path.dirname(request["file"]), exist_ok=True)
    with open(request["file"], "w", encoding="utf-8", errors="surrogatepass", newline="") as f:
        f.write(request["text"])


def read(request):
    try:
        with open(request["file"], encoding="utf-8", errors="surrogatepass", newline="") as f:
            return f.read()
    except OSError:
        return None


def copy(request):
    """Copies a tree; folders named in `skip` stay behind, and all files but those that match `only`."""
    skip, only = set(request["skip"]), re.compile(request["only"]) if request["only"] else None
    source, target = request["from"], request["to"]
    for at, names, files in os.walk(source):
        names[:] = [n for n in names if n not in skip]
        there = os.path.join(target, os.path.relpath(at, source))
        links = [n for n in names if os.path.islink(os.path.join(at, n))]
        if only is None:
            os.makedirs(there, exist_ok=True)
        for name in files + (links if only is None else []):
            if name in skip or only and not only.search(name):
                continue
            os.makedirs(there, exist_ok=True)
            path = os.path.join(at, name)
            if os.path.islink(path) or os.path.isfile(path):
                shutil.copy2(path, os.path.join(there, name), follow_symlinks=False)
                if not os.path.islink(path):
                    os.chmod(os.path.join(there, name), os.stat(path).st_mode | 0o200)


def mine():
    """Processes of this container that are neither its own idle loop nor this one."""
    return [int(n) for n in os.listdir("/proc") if n.isdigit() and int(n) not in standing]


def clear():
    """Leaves the container as it was found: no process, no temporary file."""
    for group in list(groups):
        kill_group(group)
    for _ in range(50):
        others = [pid for pid in mine() if not is_idle(pid)]
        if not others:
            break
        for pid in others:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.01)
    left = 0
    for place in ("/tmp", "/dev/shm"):
        for name in os.listdir(place):
            path = os.path.join(place, name)
            if path == ALIVE:
                continue
            try:
                if os.path.isdir(path) and not os.path.islink(path):
                    loosen(path)
                    shutil.rmtree(path)
                else:
                    os.unlink(path)
            except OSError:
                left += 1
    return {"processes": len(others), "files": left}


def loosen(path):
    for at, names, _ in os.walk(path):
        try:
            os.chmod(at, 0o700)
        except OSError:
            pass


def is_idle(pid):
    """The `sleep` of the idle loop, which is a new process each time, and what has ended but is not yet gone."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            fields = f.read().rpartition(")")[2].split()
        with open("/proc/%d/cmdline" % pid, "rb") as f:
            asleep = f.read() == b"sleep\x005\x00"
        return fields[0] in "ZX" or asleep and int(fields[1]) in standing
    except OSError:
        return True


def keep_alive():
    while True:
        try:
            open(ALIVE, "w").close()
        except OSError:
            pass
        time.sleep(5)


OPERATIONS = {"run": run, "folder": folder, "write": write, "read": read, "copy": copy, "clear": lambda request: clear()}


def serve(request):
    try:
        value = OPERATIONS[request["op"]](request)
        answer({"id": request["id"], "value": value})
    except Exception as error:
        answer({"id": request["id"], "error": "%s: %s" % (type(error).__name__, error), "errno": getattr(error, "errno", None)})


def main():
    threading.Thread(target=keep_alive, daemon=True).start()
    answer({"id": 0, "value": {
        "python": sys.executable, "version": "%d.%d.%d" % sys.version_info[:3], "environment": dict(os.environ),
        "user": os.getuid(), "temporary": os.listdir("/tmp"), "separator": os.pathsep,
    }})
    pending = b""
    while True:
        chunk = os.read(0, 1 << 16)
        if not chunk:
            break
        pending += chunk
        if b"\n" not in chunk:
            continue
        *lines, pending = pending.split(b"\n")
        for line in lines:
            request = json.loads(line)
            if request["op"] == "run":
                threading.Thread(target=serve, args=(request,), daemon=True).start()
            else:
                serve(request)
    clear()
    os._exit(0)


# What a test prints must never be taken for an answer: the channel gets a descriptor of its own.
OUT = os.dup(1)
os.dup2(2, 1)
standing = {1, os.getpid()} | {int(n) for n in os.listdir("/proc") if n.isdigit()}
main()
