"""Builds the library, a program in the language and tests of arithmetic, shuffles and atomics for AArch64 with Debian's cross
compiler and runs them under qemu-user. Installs both with apt where it may.
Exit status: that of the tests; 77 where there is no cross compiler or qemu.

    run.py --parts build/gcc/compiled --build build/gcc/aarch64
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SKIPPED = 77
COMPILER, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64"
# Headers of the host that do not depend on the machine; its /usr/include as a whole would hide the other libc's.
HEADERS = ["boost", "range", "meta", "concepts", "std", "xxhash.h", "xxh3.h", "doctest"]
TESTS = ["tests/main.cpp", "tests/aarch64/language.cpp", "tests/aarch64/arithmetic.cpp",
         *(f"tests/emulator/{name}.cpp" for name in ("access/atomic", "run/exchange", "image/floating_mode"))]


def has_tools() -> bool:
    if shutil.which(COMPILER) and shutil.which(EMULATOR):
        return True
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    install = ["apt-get", "install", "-q=2", "--no-install-recommends", "g++-aarch64-linux-gnu", "qemu-user"]
    try:
        subprocess.run(["apt-get", "update", "-q=2"], capture_output=True, timeout=120)
        subprocess.run(install, capture_output=True, timeout=400, env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))
    except subprocess.TimeoutExpired:
        return False
    return bool(shutil.which(COMPILER) and shutil.which(EMULATOR))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", required=True, type=pathlib.Path, help="the sources of the library that CMake wrote")
    parser.add_argument("--build", required=True, type=pathlib.Path)
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    if not has_tools():
        print(f"skipped: no {COMPILER} or {EMULATOR} (Debian: g++-aarch64-linux-gnu, qemu-user)")
        return SKIPPED
    build = options.build.resolve()
    include = build / "include"
    include.mkdir(parents=True, exist_ok=True)
    for name in HEADERS:
        there, here = pathlib.Path("/usr/include") / name, include / name
        if there.exists() and not here.exists():
            here.symlink_to(there)
    compile_with = [COMPILER, "-std=c++20", "-DDOCTEST_CONFIG_NO_POSIX_SIGNALS", "-I",
                    str(root / "include"), "-I", str(root), "-isystem", str(include), "-Wall", "-Wextra", "-Wpedantic",
                    "-Werror", "-Wno-restrict"]
    if shutil.which("ccache"):
        compile_with.insert(0, "ccache")
    sources = [(root / t, "-O0") for t in TESTS]
    sources += [(p.resolve(), "-O1" if p.stem in ("vector_unit", "run") else "-O0")
                for p in sorted(options.parts.glob("*.cpp"))]

    def compile_one(source: tuple[pathlib.Path, str]) -> tuple[pathlib.Path, str]:
        path, level = source
        to = build / ("_".join(path.parts[-3:]) + ".o")
        done = subprocess.run([*compile_with, level, "-c", str(path), "-o", str(to)], capture_output=True, text=True)
        errors = [line for line in done.stderr.splitlines() if "error" in line] or ["the compiler failed"]
        return to, "" if done.returncode == 0 else "\n".join([f"{path}:", *errors[:5]])

    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        objects = list(pool.map(compile_one, sources))
    wrong = [text for _, text in objects if text]
    if wrong:
        print(f"{len(wrong)} of {len(objects)} files do not compile for AArch64:\n" + "\n".join(wrong))
        return 1
    program = build / "tests"
    link = subprocess.run([COMPILER, *(str(o) for o, _ in objects), "-lpthread", "-ldl", "-o", str(program)])
    if link.returncode != 0:
        return 1
    run = subprocess.run([EMULATOR, "-L", "/usr/aarch64-linux-gnu", str(program)], cwd=root, timeout=900,
                         env=dict(os.environ, TG_DEVICE="emulator"))
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
