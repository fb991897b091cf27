def price(amount:
    return
