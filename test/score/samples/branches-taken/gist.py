def choose(a, b):
    if b > 1:
        second(b)
    elif a:
        first()
    else:
        fourth()
    for item in b:
        use(item)
        done()
        close()
    try:
        use(item)
    finally:
        close()
    if True:
        last()
    while a:
        a -= 1
        b += 1
    return b
