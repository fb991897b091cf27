def test_bill():
    pass
