import table
from table import V7

def test_it():
    assert V7 == 7 and table.V19999 == 19999
