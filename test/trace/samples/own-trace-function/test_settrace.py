import sys

from traced import target


def test_settrace():
    seen = []

    def tracer(frame, event, arg):
        if frame.f_code.co_name == 'target':
            seen.append((event, frame.f_lineno))
            return tracer

    sys.settrace(tracer)
    try:
        target(1)
    finally:
        sys.settrace(None)
    assert seen == [('call', 1), ('line', 2), ('line', 3), ('return', 3)]
