#!/usr/bin/env python3
"""What gdb prints with cmake/gdb/tg.py, in a program that stops where a kernel is recorded. Skipped (77) where there is no gdb with Python.

run.py PROGRAM
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STOPS = [  # what is printed at each stop, and what it must match
    [("a", r"array<float, 2> of shape \(3, 4\) at 0x[0-9a-f]+"), ("nothing", r"array<float, 2> without memory"),
     ("turned", r"array_view<float, 2> of shape \(4, 3\) at 0x[0-9a-f]+, strides \(1, 4\)"),
     ("buffer", r"buffer<float> of 12 at 0x[0-9a-f]+")],
    [("i", r"value<unsigned> in register \d+: 256\*uniform \+ thread\.x"), ("j", r"value<unsigned> in register \d+: judged when recorded"),
     ("loaded", r"value<float> in register \d+: depends on data"), ("running", r"var<float> in register \d+"),
     ("tile", r"tile<float> of 32 x 32, pitch 33"), ("four", r"constant 4"),
     ("sums", r"register_tile<float> of 128 x 64, 32 registers per thread"),
     ("peaks", r"register_tile<float> of 128 x 1, \d+ registers per thread"), ("i.operand", r"in register \d+")],
]


def main():
    gdb = shutil.which("gdb")
    if not gdb or subprocess.run([gdb, "-batch", "-nx", "-ex", "python pass"], capture_output=True).returncode:
        print("no gdb with Python: skipped")
        return 77
    commands = ["set pagination off", "set confirm off", f"source {ROOT}/cmake/gdb/tg.py", "break here", "run"]
    for k, stop in enumerate(STOPS):
        commands += (["continue"] if k else []) + ["up"] + [f"print {what}" for what, _ in stop]
    words = [word for command in commands for word in ("-ex", command)]
    done = subprocess.run([gdb, "-q", "-batch", "-nx", *words, sys.argv[1]], capture_output=True, text=True)
    printed = re.findall(r"^\$\d+ = (.*)$", done.stdout, re.MULTILINE)
    wanted = [line for stop in STOPS for line in stop]
    complaints = [f"{what}: '{got}' is not {pattern}" for (what, pattern), got in zip(wanted, printed) if not re.fullmatch(pattern, got)]
    if len(printed) != len(wanted):
        complaints.append(f"{len(printed)} values were printed, not {len(wanted)}:\n{done.stdout}{done.stderr}")
    print("\n".join(complaints) or f"{len(printed)} values are printed as they should be")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
