import pathlib

def store():
    (pathlib.Path(__file__).parent / "made.txt").write_text("x")
    return 1
