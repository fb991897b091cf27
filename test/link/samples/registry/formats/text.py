from formats.base import register


@register('csv')
def write_csv(rows):
    return ','.join(rows)
