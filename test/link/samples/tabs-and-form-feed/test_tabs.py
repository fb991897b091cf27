from tabs import fed, nested


def test_tabs():
	assert nested(3) == 1
	assert fed() == 'fed'
