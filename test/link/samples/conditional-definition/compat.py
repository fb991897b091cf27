import sys

if sys.version_info >= (3,):
    def kind():
        return 'new'
else:
    def kind():
        return 'old'

try:
    from no_such_library import loads
except ImportError:
    def loads(text):
        return [text]
