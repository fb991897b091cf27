def call(module):
    return getattr(module, 'start')()
