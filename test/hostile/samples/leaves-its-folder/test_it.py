import os
from move import move

def test_it():
    assert move() == 'gone'
    try:
        open('relative.txt')
    except FileNotFoundError as error:
        print('not there', error.errno)
