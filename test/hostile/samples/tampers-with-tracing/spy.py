import sys
import threading

seen = []

def watch(frame, event, arg):
    if event == 'call':
        seen.append(frame.f_code.co_name)

def spy(function):
    sys.settrace(watch)
    sys.setprofile(lambda *args: None)
    threading.settrace(None)
    result = function()
    sys.settrace(None)
    return result

def target():
    total = 0
    for i in range(3):
        total += i
    return total
