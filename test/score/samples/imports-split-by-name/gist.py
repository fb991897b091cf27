from __future__ import annotations
import os
import json
import sys
import sys as system
from .b import second as zwei
from .b import third
from . import b
from ..top import *
import xml.etree.ElementTree as ET
