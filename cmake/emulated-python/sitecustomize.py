"""Makes Python programs that use cuda.core or numba-cuda hand PTX to the driver instead of machine code from nvJitLink, which the
emulated libcuda cannot run: nvJitLink counts as missing, and the driver's linker is used in its place. Python imports this file
by itself where its folder is in PYTHONPATH.
"""
import importlib.abc
import importlib.machinery
import sys

HIDDEN = "cuda.bindings._internal.nvjitlink"


class Loader(importlib.abc.Loader):
    def __init__(self, own):
        self.own = own

    def create_module(self, spec):
        return self.own.create_module(spec)

    def exec_module(self, module):
        self.own.exec_module(module)
        module._inspect_function_pointer = lambda name: 0  # the address of a function that the library does not have


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != HIDDEN:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            spec.loader = Loader(spec.loader)
        return spec


sys.meta_path.insert(0, Finder())
