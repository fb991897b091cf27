def test_blocks():
    value = 1
    text = """
  indented text
    """
    assert value
