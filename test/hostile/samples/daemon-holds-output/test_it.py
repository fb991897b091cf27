from daemon import daemonize

def test_it(capfd):
    with capfd.disabled():
        assert daemonize()
