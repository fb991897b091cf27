from fill import fill

def test_it(tmp_path):
    fill(tmp_path / "big")
