WORD = "café"
