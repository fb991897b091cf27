from formats import text
from formats import structured
