def price(:
