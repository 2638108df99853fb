#!/usr/bin/env python3
"""A stranger without CMake: the README's first program, and the commands that the README prints for it, in an empty folder.

Without optimisation, which is sooner done. The program must say what it computed; without the emulator's file it must say on
a machine without a GPU which line is missing.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    readme = (ROOT / "README.md").read_text()
    program = re.search(r"```cpp\n(#include <cstdio>.*?)```", readme, re.DOTALL)[1]
    commands = re.findall(r"^(g\+\+ .*?)(?: +#.*)?$", readme, re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "main.cpp").write_text(program)
        pathlib.Path(folder, "emulator.cpp").write_text("#include <tg/emulator.hpp>\n")
        pathlib.Path(folder, "tg").symlink_to(ROOT)
        complaints = []
        if len(commands) != 2:
            complaints.append(f"the README prints {len(commands)} commands, not 2: {commands}")
        def run(command):
            command = command.replace("g++", compiler, 1).replace(" -O2", " -O0")
            ran = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
            if ran.returncode != 0 or ran.stderr:
                complaints.append(f"{command}: status {ran.returncode}\n{ran.stderr}")

        # The program is compiled once, and linked with the emulator and without.
        *before, last = commands
        for command in before:
            run(command)
        run(last.replace(" emulator.o -lxxhash -o first", " -c"))
        last = last.replace("main.cpp", "main.o")
        run(last)
        run(last.replace(" emulator.o", "").replace(" -o first", " -o without"))
        environment = dict(os.environ, TG_DEVICE="emulator", TG_CACHE_DIR="")
        ran = subprocess.run(["./first"], cwd=folder, capture_output=True, text=True, env=environment)
        if ran.returncode != 0 or "2 * 1 + 2 = 4 on" not in ran.stdout:
            complaints.append(f"./first: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
        ran = subprocess.run(["./without"], cwd=folder, capture_output=True, text=True, env=environment)
        if ran.returncode == 0 or "TG574" not in ran.stderr or "#include <tg/emulator.hpp>" not in ran.stderr:
            complaints.append(f"without the emulator: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    print("\n".join(complaints) or "compiled, run, and refused without the emulator")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
