# Line events of one file, the gist, as coverage.py counts them.
import sys
import threading

from executable_lines import executable_lines


class Lines:
    def __init__(self, path):
        self.path, self.seen, self.tool = path, set(), None

    def start(self):
        monitoring = getattr(sys, "monitoring", None)
        if monitoring:
            self.tool = next((i for i in range(6) if monitoring.get_tool(i) is None), None)
        if self.tool is not None:
            path, add, disable = self.path, self.seen.add, monitoring.DISABLE

            def line(code, number):
                if code.co_filename == path:
                    add(number)
                return disable

            monitoring.use_tool_id(self.tool, "gistify")
            monitoring.register_callback(self.tool, monitoring.events.LINE, line)
            monitoring.set_events(self.tool, monitoring.events.LINE)
            return
        path, add = self.path, self.seen.add

        def local(frame, event, arg):
            if event == "line":
                add(frame.f_lineno)
            return local

        def trace(frame, event, arg):
            return local if frame.f_code.co_filename == path else None

        threading.settrace(trace)
        sys.settrace(trace)

    def stop(self):
        if self.tool is not None:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.free_tool_id(self.tool)
        else:
            threading.settrace(None)
            sys.settrace(None)

    def result(self):
        with open(self.path, encoding="utf-8", newline="") as f:
            source = f.read()
        statements, first = executable_lines(source, self.path)
        executed = {first.get(n, n) for n in self.seen}
        return {"statements": sorted(statements), "executed": sorted(executed & set(statements))}
