from deep import X, Y, which

def test_it():
    assert X == 2000 and Y == "a" and which(850) == 850
