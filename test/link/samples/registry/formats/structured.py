from formats.base import register


@register('json')
def write_json(rows):
    return str(rows)
