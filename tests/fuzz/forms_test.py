#!/usr/bin/env python3
"""Tests forms.py: it must find a judge that accepts what it should refuse, and one that refuses what it should accept."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent

# A judge between forms.py and the real one, with a planted defect.
WRONG = '''#!{python}
import subprocess, sys
judge = subprocess.Popen(["{judge}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
while line := sys.stdin.buffer.readline():
    text = sys.stdin.buffer.read(int(line))
    judge.stdin.write(line + text)
    said = judge.stdout.readline().decode(errors="replace").strip()
    {defect}
    print(said, flush=True)
'''
CASES = (
    ("accepts operands of the wrong kind", 'said = "ok" if said.startswith("TG311") else said', "tg accepts `"),
    ("does not know 64-bit additions", 'said = "TG310: no such form" if b" add.s64 " in text and said == "ok" else said', "ptxas accepts `add.s64"),
)


def run(judge, *options):
    return subprocess.run([sys.executable, HERE / "forms.py", judge, "--seed", "3", *options], capture_output=True, text=True)


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, defect, said in CASES:
            judge = pathlib.Path(folder, "judge")
            judge.write_text(WRONG.format(python=sys.executable, judge=sys.argv[1], defect=defect))
            judge.chmod(0o755)
            ran = run(judge, "--texts", "800", "--found", folder)
            if ran.returncode == 77:
                print("ptxas is not there")
                return 77
            if ran.returncode != 1 or said not in ran.stdout or not list(pathlib.Path(folder).glob("forms-3-*.ptx")):
                failures += 1
                print(f"a judge that {name} is not found: status {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
        listed = pathlib.Path(folder, "listed.txt")  # a row makes what it describes no finding
        listed.write_text((HERE / "forms_listed.txt").read_text() + "ptxas | no such form | add.s64 | planted\n")
        ran = run(judge, "--texts", "800", "--listed", listed)
        if ran.returncode != 0 or " planted" not in ran.stdout:
            failures += 1
            print(f"a listed difference is found: status {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    print(f"{len(CASES) + 1} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
