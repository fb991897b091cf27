import configparser
import importlib
import os
import sys
from pathlib import Path

from app.plugins import lower

BASE = lower.lower("BASE")


def hidden():
    parser = configparser.ConfigParser()
    parser.read(Path.cwd() / "app" / "settings.ini")
    return parser["app"]["skip"]


def discover(folder):
    registry = {}
    for file in sorted(os.listdir(folder)):
        name, extension = os.path.splitext(file)
        if extension != ".py" or name in ("__init__", hidden()):
            continue
        dotted = "app.plugins." + name
        module = sys.modules.get(dotted) or importlib.import_module(dotted)
        module.register(registry)
    return registry
