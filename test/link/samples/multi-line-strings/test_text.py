from letters import letter


def test_text():
    assert letter('Ann', True) == 'Dear Ann,\n    with kind regards,\n\n        your friend\nabcd'
    assert letter('Ann', False) == 'Hi\nabcd'
