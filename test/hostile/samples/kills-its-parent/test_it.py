from end import end

def test_it():
    end()
