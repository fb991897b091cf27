def letter(name, polite):
    if polite:
        text = f'''Dear {name},
    with kind regards,

        your friend
'''
    else:
        text = """Hi
"""
    joined = ('a'
              'b')
    return text + joined + 'c\
d'
