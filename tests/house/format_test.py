#!/usr/bin/env python3
"""`./dev format --check` refuses a file that is not formatted, takes the same file when it is, and leaves a guarded table alone."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATTED = "int twice(int x) { return 2 * x; }\n"
GUARDED = "// clang-format off\nconstexpr int table[] = {1,  2,\n                        30, 4};\n// clang-format on\n"


def check(text):
    """The exit status of the check on a file with this text."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.cpp"
        path.write_text(text)
        return subprocess.run([ROOT / "dev", "format", "--check", path], capture_output=True, text=True)


first = check(FORMATTED)
if first.returncode == 77:
    print("skipped:", first.stderr.strip())
    sys.exit(77)
assert first.returncode == 0, first.stderr
assert check(GUARDED).returncode == 0
planted = check(FORMATTED.replace("{ return 2 * x; }", "{\n  return 2*x; }"))
assert planted.returncode not in (0, 77) and "clang-format" in planted.stderr, planted
