from daemon import daemonize

def test_it():
    assert daemonize()
