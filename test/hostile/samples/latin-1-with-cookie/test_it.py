# -*- coding: cp1252 -*-
from words import WORD

def test_it():
    print("€", WORD)
    assert WORD == "café" and len(WORD) == 4
