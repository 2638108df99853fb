#!/usr/bin/env python3
"""Runs families of programs with every checker on, under five seeds of the scheduler: no finding may be reported, but for
the assertion that fails on purpose. The library's path is in TG_PROGRAMS_LIBCUDA.

usage: checked.py EXECUTABLE...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

seeds = range(5)
on_purpose = {"programs_language": ["TG466"]}


def complaints(executable, seed, folder):
    report = pathlib.Path(folder) / "report.txt"
    run = subprocess.run([executable], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                         env=os.environ | {"TG_EMULATOR_CHECK": "all", "TG_EMULATOR_SEED": str(seed),
                                           "TG_EMULATOR_REPORT": str(report)})
    text = report.read_text() if report.exists() else "no report"
    found = re.findall(r"^TG\d+", text, re.MULTILINE)
    expected = on_purpose.get(pathlib.Path(executable).name, [])
    if run.returncode == 0 and found == expected and text.endswith((f"{len(found)} findings\n", "1 finding\n")):
        return ""
    return f"{executable}, seed {seed}, status {run.returncode}:\n{run.stdout}{text}\n"


def main():
    with tempfile.TemporaryDirectory() as folder:
        out = [complaints(e, seed, folder) for e in sys.argv[1:] for seed in seeds]
    print("".join(out) or f"{len(out)} runs without a finding")
    return 1 if any(out) or not out else 0


if __name__ == "__main__":
    sys.exit(main())
