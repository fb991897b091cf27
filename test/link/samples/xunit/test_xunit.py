from journal import log


def setup_module(module):
    log.append('module')


def teardown_module(module):
    log.append('module down')
    print(log)


class TestX:
    @classmethod
    def setup_class(cls):
        log.append('class')

    def setup_method(self, method):
        log.append(method.__name__)

    def teardown_method(self):
        log.append('method down')

    def test_x(self):
        assert log == ['module', 'class', 'test_x']

    def test_other(self):
        assert log
