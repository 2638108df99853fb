"""Runs one real client of the CUDA driver on the emulated libcuda: makes a virtual environment, installs the client from
PyPI, runs its script. Exit status: 0 all parts passed, 1 some did not, 77 skipped because the client cannot be installed.

    run.py --library build/gcc/emulated --environment build/gcc/clients drjit
"""
import argparse
import os
import pathlib
import subprocess
import sys

PACKAGES = {"drjit": ["drjit", "numpy"], "halide": ["halide", "numpy"], "cuda_bindings": ["cuda-bindings", "numpy"],
            "numba": ["numba-cuda==0.30.4", "numpy", "filecheck", "pytest", "psutil", "cffi", "ml_dtypes"],
            "tinygrad": ["tinygrad==0.14.0", "numpy"], "taichi": ["taichi==1.7.4", "numpy"],
            "pycuda": ["pycuda==2026.1", "numpy"], "exchange": ["numpy"]}
SKIPPED = 77
PATH = os.environ.get("PATH", "") + ":/usr/local/cuda/bin"  # PyCUDA is built, and builds kernels, with a CUDA toolkit


def environment_of(root: pathlib.Path, client: str) -> pathlib.Path | None:
    """The Python of a virtual environment in which the client is installed; None when that cannot be done."""
    where = root / client
    python = where / "bin" / "python"
    if not python.exists() and subprocess.run([sys.executable, "-m", "venv", str(where)]).returncode != 0:
        return None
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES[client]]
    done = where / "installed"
    if not done.exists():
        tried = subprocess.run(install, capture_output=True, text=True, timeout=900, env=dict(os.environ, PATH=PATH))
        if tried.returncode != 0:
            print(tried.stderr.strip().splitlines()[-1] if tried.stderr.strip() else "pip failed")
            return None
        done.touch()
    return python


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True, help="folder of the emulated libcuda.so.1")
    parser.add_argument("--environment", required=True, help="folder for the virtual environments")
    parser.add_argument("client", choices=sorted(PACKAGES))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="for the client's script")
    options = parser.parse_args()
    try:
        python = environment_of(pathlib.Path(options.environment), options.client)
    except subprocess.TimeoutExpired:
        python = None
    if python is None:
        print(f"skipped: {options.client} cannot be installed from PyPI here")
        return SKIPPED
    library = pathlib.Path(options.library).resolve()
    variables = dict(os.environ, LD_LIBRARY_PATH=str(library), DRJIT_LIBCUDA_PATH=str(library / "libcuda.so.1"),
                     PYTHONPATH=str(library / "python"), PATH=PATH)
    script = pathlib.Path(__file__).parent / f"{options.client}_client.py"
    return subprocess.run([str(python), str(script), *options.arguments], env=variables).returncode


if __name__ == "__main__":
    sys.exit(main())
