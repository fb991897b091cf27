from shut import shut

def test_it():
    shut()
