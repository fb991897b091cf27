log = []


def divide(a, b):
    try:
        result = a / b
    except ZeroDivisionError as error:
        log.append(type(error).__name__)
        return None
    except KeyError:
        log.append('unseen')
        raise
    else:
        log.append('else')
        return result
    finally:
        log.append('finally')
