NAME = "its probes"
