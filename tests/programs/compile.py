#!/usr/bin/env python3
"""Makes tests/programs/ptx/*.ptx from tests/programs/kernels/*.cu; the result does not depend on where or when it runs.

A kernel file may begin with comments that say how it is compiled:
  // nvcc: -arch=sm_90 -lineinfo     options beside -O3; -arch=sm_80 when there is no such line
  // clang: -O2                      compiled by clang's NVPTX back end as well, without CUDA's headers

usage: compile.py [--nvcc PATH] [--clang PATH] [--check] [NAME...]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent


def options_of(source, compiler):
    found = re.search(rf"^// {compiler}:(.*)$", source, re.MULTILINE)
    return found.group(1).split() if found else None


def neutral(text):
    """PTX without the compiler's build and without folders; internal names lose the hash of the path."""
    text = re.sub(r"^// Compiler Build ID.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", text)
    text = re.sub(r'(\.file\s+\d+ "[^"]*"), \d+, \d+', r"\1", text)
    # The names of inlined functions stand in a debug section as bytes; no tool here reads them, and they hold the hash.
    text = re.sub(r", function_name \$L__info_string\d+, inlined_at (\d+ \d+ \d+)", "", text)
    text = re.sub(r"^\s*\.section\s+\.debug_str\s*\{.*?^\s*\}\n", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\d+_INTERNAL_[0-9a-f]{8}_\d+_\w+?_cu_[0-9a-f]{8}", "8INTERNAL", text)
    text = re.sub(r"\d+_GLOBAL__N__[0-9a-f]{8}_\d+_\w+?_cu_[0-9a-f]{8}", "9ANONYMOUS", text)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).rstrip("\n") + "\n"


def compile_one(kernel, compiler, arguments, folder):
    out = folder / "out.ptx"
    if compiler == "nvcc":
        flags = options_of(kernel.read_text(), "nvcc") or []
        if not any(f.startswith("-arch") for f in flags):
            flags = ["-arch=sm_80", *flags]
        command = [arguments.nvcc, "-ptx", "-O3", "-std=c++17", *flags, kernel.name, "-o", str(out)]
    else:
        flags = options_of(kernel.read_text(), "clang")
        command = [arguments.clang, "-x", "cuda", "-std=c++17", "-nocudainc", "-nocudalib", "--cuda-device-only", "-S",
                   "-Wno-unknown-cuda-version",
                   "--cuda-gpu-arch=sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx74", "-include",
                   str(here / "clang.h"), *flags, kernel.name, "-o", str(out)]
    subprocess.run(command, cwd=kernel.parent, check=True)
    return neutral(out.read_text())


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    different = []
    with tempfile.TemporaryDirectory() as folder:
        for kernel in sorted((here / "kernels").glob("*.cu")):
            if arguments.names and kernel.stem not in arguments.names:
                continue
            ways = {"nvcc": f"{kernel.stem}.ptx"}
            if options_of(kernel.read_text(), "clang") is not None:
                ways["clang"] = f"{kernel.stem}.clang.ptx"
            for compiler, name in ways.items():
                text = compile_one(kernel, compiler, arguments, pathlib.Path(folder))
                path = here / "ptx" / name
                if path.exists() and path.read_text() == text:
                    continue
                different.append(name)
                if not arguments.check:
                    path.write_text(text)
    print("\n".join(different) if different else "nothing changed")
    return 1 if arguments.check and different else 0


if __name__ == "__main__":
    sys.exit(main())
