from kit.tools import *

NAME = __name__
