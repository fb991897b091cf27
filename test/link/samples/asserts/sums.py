def totals(items):
    return [sum(items[:n + 1]) for n, _ in enumerate(items)]
