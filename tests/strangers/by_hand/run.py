#!/usr/bin/env python3
"""A stranger without CMake: the README's first program, and the commands that the README prints for it, in an empty folder:
header-only with the emulator's source file, and with all of tg compiled once.

Without optimisation, which is sooner done. Both programs must say what they computed; without the emulator's file the first
must say on a machine without a GPU which line is missing. A source file that includes the library behind another header of
tg must say so.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXPECTED = [  # of each command what it is here; the README may change the rest
    r"g\+\+ .*-c emulator\.cpp",
    r"g\+\+ .* main\.cpp emulator\.o .*-o first",
    r"g\+\+ .*-c -x c\+\+ tg/include/tg/library\.hpp -o tg\.o",
    r"g\+\+ .*-DTG_COMPILED .*-c main\.cpp",
    r"g\+\+ tg\.o main\.o .*-o first",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    readme = (ROOT / "README.md").read_text()
    program = re.search(r"```cpp\n(#include <cstdio>.*?)```", readme, re.DOTALL)[1]
    commands = re.findall(r"^(g\+\+ .*?)(?: +#.*)?$", readme, re.MULTILINE)
    if len(commands) != len(EXPECTED) or not all(map(re.fullmatch, EXPECTED, commands)):
        print(f"the README prints other commands: {commands}")
        return 1
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "main.cpp").write_text(program)
        pathlib.Path(folder, "emulator.cpp").write_text("#include <tg/emulator.hpp>\n")
        pathlib.Path(folder, "behind.cpp").write_text("#include <tg/base/config.hpp>\n#include <tg/library.hpp>\n")
        pathlib.Path(folder, "tg").symlink_to(ROOT)

        def build(command):
            command = command.replace("g++", compiler, 1).replace(" -O2", " -O0")
            return command, subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)

        def must_build(command):
            command, ran = build(command)
            if ran.returncode != 0 or ran.stderr:
                complaints.append(f"{command}: status {ran.returncode}\n{ran.stderr}")

        def run(name):
            environment = dict(os.environ, TG_DEVICE="emulator", TG_CACHE_DIR="")
            if not pathlib.Path(folder, name).exists():
                return subprocess.CompletedProcess([name], 127, "", "not built")
            return subprocess.run([f"./{name}"], cwd=folder, capture_output=True, text=True, env=environment)

        def must_compute(name):
            ran = run(name)
            if ran.returncode != 0 or "2 * 1 + 2 = 4 on" not in ran.stdout:
                complaints.append(f"{name}: status {ran.returncode}\n{ran.stdout}{ran.stderr}")

        emulator, first, library, compiled, link = commands
        # The program is compiled once, and linked with the emulator and without.
        must_build(emulator)
        must_build(first.replace(" emulator.o -lxxhash -o first", " -c"))
        first = first.replace("main.cpp", "main.o")
        must_build(first)
        must_build(first.replace(" emulator.o", "").replace("-o first", "-o without"))
        must_compute("first")
        ran = run("without")
        if ran.returncode == 0 or "TG574" not in ran.stderr or "#include <tg/emulator.hpp>" not in ran.stderr:
            complaints.append(f"without the emulator: status {ran.returncode}\n{ran.stdout}{ran.stderr}")

        for command in (library, compiled, link.replace("-o first", "-o second")):
            must_build(command)
        must_compute("second")
        command, ran = build("g++ -std=c++20 -I tg/include -E behind.cpp -o behind.ii")
        if ran.returncode == 0 or "compile <tg/library.hpp> as a source file of its own" not in ran.stderr:
            complaints.append(f"{command}: status {ran.returncode}\n{ran.stderr}")
    print("\n".join(complaints) or "compiled, run in both ways, and refused without the emulator and behind another header")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
