log = []
