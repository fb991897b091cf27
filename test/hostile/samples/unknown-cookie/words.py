# coding: klingon
WORD = 1
