def test_blocks():
    with open("a") as f:
        if f:
            value = 1
            other = 2
        else:
            value = 3
    try:
        value += 1
    except ValueError:
        value = 0
    finally:
        value += 2
    text = """
  indented text
    stays
    """
    assert value
