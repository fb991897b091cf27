WORD = "é"
