def nested(n):
	for i in range(n):
		if i == 1:
			deep = i
			return deep
	return None

def fed():
    return 'fed'
