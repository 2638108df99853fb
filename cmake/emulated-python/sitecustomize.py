"""Makes Python programs that use cuda.core, numba-cuda or PyCUDA hand PTX to the driver instead of machine code, which the
emulated libcuda cannot run. For cuda.core and numba-cuda, nvJitLink counts as missing, and the driver's linker is used in its
place; PyCUDA asks nvcc for PTX where it would ask for a cubin. Python imports this file by itself where its folder is in
PYTHONPATH.
"""
import functools
import importlib.abc
import importlib.machinery
import sys


def hide_nvjitlink(module):
    module._inspect_function_pointer = lambda name: 0  # the address of a function that the library does not have


def compile_to_ptx(module):
    plain = module.compile_plain

    @functools.wraps(plain)
    def compile_plain(source, options, keep, nvcc, cache_dir, target="cubin"):
        return plain(source, options, keep, nvcc, cache_dir, "ptx" if target == "cubin" else target)

    module.compile_plain = compile_plain


CHANGES = {"cuda.bindings._internal.nvjitlink": hide_nvjitlink, "pycuda.compiler": compile_to_ptx}


class Loader(importlib.abc.Loader):
    def __init__(self, own, change):
        self.own = own
        self.change = change

    def create_module(self, spec):
        return self.own.create_module(spec)

    def exec_module(self, module):
        self.own.exec_module(module)
        self.change(module)


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name not in CHANGES:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            spec.loader = Loader(spec.loader, CHANGES[name])
        return spec


sys.meta_path.insert(0, Finder())
