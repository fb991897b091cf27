NAME = "the codebase"
