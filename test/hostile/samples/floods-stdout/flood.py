def flood():
    for i in range(60):
        print("x" * (1 << 20))
