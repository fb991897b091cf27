from __future__ import annotations

import os, sys as system
import xml.etree.ElementTree as ET
from . import b
from .b import (
    first,
    second as zwei,  # renamed
)
from ..top import *


def late():
    import json
    return json.dumps(first)
