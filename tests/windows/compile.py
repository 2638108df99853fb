#!/usr/bin/env python3
"""Compiles the driver layer for Windows with mingw-w64 (Debian's g++-mingw-w64-x86-64-posix). Exit status 77: no such compiler."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ["x86_64-w64-mingw32-g++-posix", "x86_64-w64-mingw32-g++"]
FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-static"]


def main() -> int:
    compiler = next(filter(None, map(shutil.which, NAMES)), None)
    if compiler is None:
        print("skipped: no mingw-w64; install g++-mingw-w64-x86-64-posix")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "driver_layer.exe"
        command = [compiler, *FLAGS, f"-I{ROOT / 'include'}", str(ROOT / "tests/windows/driver_layer.cpp"), "-o", str(program)]
        made = subprocess.run(command, text=True, capture_output=True)
        if made.returncode != 0:
            print(made.stderr)
            return 1
        bytes_ = program.read_bytes()
        if bytes_[:2] != b"MZ" or b"nvcuda.dll" not in bytes_:
            print("this is no program for Windows that opens nvcuda.dll")
            return 1
    print(f"compiled with {compiler}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
