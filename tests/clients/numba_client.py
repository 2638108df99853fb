"""numba-cuda's own tests on the emulated libcuda, where a CUDA toolkit is installed. Without arguments the modules that end in a few minutes and show most
kinds of kernels; with --all every module of cudapy, cudadrv, doc_examples and nrt; else the modules named.

    python numba_client.py [--all | test_atomics ...]
"""
import pathlib
import sys

from cuda.pathfinder import DynamicLibNotFoundError, load_nvidia_dynamic_lib

import numba.cuda
from suite import Suite

QUICK = [f"test_{name}" for name in (
    "array", "array_args", "atomics", "blackscholes", "boolean", "casting", "complex", "const_string", "constmem",
    "cooperative_groups", "enums", "exception", "extending", "fastmath", "flow_control", "gufunc_scalar", "gufunc_scheduling",
    "idiv", "inline", "iterators", "libdevice", "optimization", "record_dtype")]
PARTS = ["cudapy", "cudadrv", "doc_examples", "nrt"]


def main() -> int:
    try:
        load_nvidia_dynamic_lib("nvvm")
        load_nvidia_dynamic_lib("nvrtc")
    except DynamicLibNotFoundError:
        print("skipped: numba-cuda compiles with libnvvm and NVRTC of a CUDA toolkit, and there is none")
        return 77
    here = pathlib.Path(__file__).parent
    tests = pathlib.Path(numba.cuda.__file__).parent / "tests"
    every = {f.stem: f"numba.cuda.tests.{part}.{f.stem}" for part in PARTS for f in sorted((tests / part).glob("test_*.py"))}
    asked = sys.argv[1:]
    chosen = list(every) if asked == ["--all"] else asked or QUICK
    suite = Suite("numba-cuda", here / "numba_failures.txt")
    for name in chosen:
        suite.run(every[name], seconds=300)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
