from spin import spin

def test_it():
    spin()
