def test_folder():
    import maker
    assert maker
