NAME = "ours"
