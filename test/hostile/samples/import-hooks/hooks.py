import importlib.abc
import importlib.machinery
import sys

class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.startswith('virtual_'):
            return importlib.machinery.ModuleSpec(name, self)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.NAME = module.__name__.upper()

sys.meta_path.insert(0, Finder())
