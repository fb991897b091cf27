def choose(a, b):
    if a:
        first()
    elif b > 1:
        second(b)
    elif b:
        third()
    else:
        fourth()
    for item in b:
        try:
            use(item)
        except KeyError as error:
            log(error)
        else:
            done()
        finally:
            close()
    while a: a -= 1; b += 1
    else:
        last()
    return b
