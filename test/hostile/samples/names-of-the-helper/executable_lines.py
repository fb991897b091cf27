NAME = "its lines"
