raise RuntimeError("not to be loaded")
