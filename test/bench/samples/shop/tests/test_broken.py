import no_such_package_of_anyone


def test_never():
    assert no_such_package_of_anyone
