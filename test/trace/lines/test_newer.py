def matching(value):
    match value:
        case 1:
            return "one"
        case [a, b] if a > b:
            return "pair"
        case {"k": v,
              "l": w}:
            return v, w
        case str():
            return "text"
        case _:
            return "other"


def test_match():
    assert [matching(v) for v in (1, [2, 1])] == ["one", "pair"]
    assert matching({"k": 1, "l": 2}) == (1, 2)


def test_groups():
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* OSError:
        t = 5
    except* ValueError:
        t = 6
    except* TypeError as e:
        t = 7

