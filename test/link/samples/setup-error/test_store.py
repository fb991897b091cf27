def test_store(store):
    assert store
