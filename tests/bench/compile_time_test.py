#!/usr/bin/env python3
"""Tests the gate of bench/compile_time.py: it must find a unit above its budget, and let one at its budget pass."""

import contextlib
import io
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import compile_time

SIX = "template <int N> struct chain { chain<N - 1> next; };\ntemplate <> struct chain<0> {};\nchain<6> six;\n"


def says(most):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        found = compile_time.gate([compile_time.Unit("six", SIX, most)])
    return found, text.getvalue()


def main():
    failures = 0
    for name, got, wanted in (
        ("at its budget", says(6), (0, "six: 6 template instantiations, at most 6: ok\n")),
        ("above its budget", says(5), (1, "six: 6 template instantiations, at most 5: too many\n")),
    ):
        if got != wanted:
            failures += 1
            print(f"{name}: {got}, not {wanted}")
    nobody = subprocess.run(
        [sys.executable, ROOT / "bench/compile_time.py", "--gate", "nobody"], capture_output=True, text=True
    )
    if nobody.returncode != 2 or "no unit has such a name" not in nobody.stderr:
        failures += 1
        print(f"a name that no unit has: {nobody.returncode}, {nobody.stderr}")
    print(f"3 cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
