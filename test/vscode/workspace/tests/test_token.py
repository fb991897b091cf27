def test_token_is_kept():
    token = "9c1185a5c5e9fc54612808977ee8f548b2258d31"
    assert len(token) == 40
