import os

os.makedirs(os.path.join(os.path.dirname(__file__), 'made', 'deep'))
