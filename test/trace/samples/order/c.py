word = 'c'
