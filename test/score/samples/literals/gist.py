A = "it's"
B = '\\d+'
C = "plain"
D = b"AB"
E = 16 + 1000
F = 1000
G = f'{A!r:>{E}} {{x}} tail'
H = f"A={A!r}"
I = 'café'
J = 'x'
K = "10"
