A = 'it\'s'
B = r"\d+"
C = u'plain'
D = b'\x41' b"B"
E = 0x10 + 1_000
F = 1e3
G = f"{A!r:>{E}} {{x}}" " tail"
H = f"{A=}"
I = "caf\u00e9"
J = """x"""
K = 10
