import contextlib
import sys

if sys.platform == "win32":
    def test_platform():
        assert False
elif sys.version_info < (3, 9):
    def test_old():
        pass
else:
    def test_platform():
        assert True

try:
    import yaml
except ImportError:
    def test_without_yaml():
        pass
else:
    @contextlib.contextmanager
    def test_with_yaml():
        yield

    class TestYaml:
        if sys.platform == "linux":
            def test_linux(self):
                pass
finally:
    def test_always():
        pass

with contextlib.suppress(Exception):
    def test_in_with():
        pass
