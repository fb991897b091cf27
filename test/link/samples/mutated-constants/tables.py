TABLE = {'a': 1}
OTHER = {}
TABLE['b'] = 2
OTHER['z'] = 26
TABLE.update(c=3)
names = ['early']
names += ['late']
del TABLE['a']
for letter in 'de':
    TABLE[letter] = 0
