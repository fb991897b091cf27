import a_package_that_is_not_installed


def test_never_collected():
    assert a_package_that_is_not_installed
