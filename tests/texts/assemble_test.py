#!/usr/bin/env python3
"""Tests assemble.py: it must find a text that ptxas refuses and one that is wrongly said to be refused."""

import pathlib
import subprocess
import sys
import tempfile

GOOD = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"
BAD = GOOD.replace("ret;", "{ .reg .f16 %h; ld.global.f16 %h, [0]; } ret;")
REASON = "// ptxas refuses this: a planted defect\n"
CASES = (
    ("good", GOOD, 0, "1 texts, 0 of them refused on purpose, assembled 1 times: 0 complaints"),
    ("good everywhere", GOOD, 0, "assembled 6 times: 0 complaints"),
    ("good in a folder for every target", GOOD, 0, "assembled 6 times: 0 complaints"),
    ("bad", BAD, 1, "error"),
    ("bad and said so", REASON + BAD, 0, "1 of them refused on purpose"),
    ("good but said to be bad", REASON + GOOD, 1, "accepts what it should refuse"),
    ("for one GPU", GOOD.replace("7.0", "8.0").replace("sm_70", "sm_90a"), 0, "assembled 1 times"),
    ("for none", GOOD.replace(".target sm_70", ""), 1, "is for no GPU on the list"),
    ("many of one name", [GOOD] * 7, 0, "7 texts, 0 of them refused on purpose, assembled 7 times: 0 complaints"),
    ("many with one file", [GOOD.replace("{", "{ .loc 1 1 1") + '.file 1 "k.cpp"\n'] * 7, 0, ": 0 complaints"),
    ("a bad one among good ones", [GOOD] * 5 + [BAD] + [GOOD] * 5, 1, "text5.ptx for sm_75"),
    ("a name that is an instruction", [GOOD, GOOD.replace(" k()", " ret()")], 0, ": 0 complaints"),
    ("nothing", [], 1, "no text in"),
)


def main():
    script = pathlib.Path(__file__).with_name("assemble.py")
    failures = 0
    for name, text, status, said in CASES:
        with tempfile.TemporaryDirectory() as folder:
            for number, each in enumerate([text] if isinstance(text, str) else text):
                pathlib.Path(folder, f"text{number}.ptx").write_text(each)
            option = ["--every-target"] if "everywhere" in name else []
            how = [*option, folder] if "every target" not in name else ["--every", folder]
            ran = subprocess.run([sys.executable, script, *how], capture_output=True, text=True)
        if ran.returncode == 77:
            print("ptxas is not there")
            return 77
        if ran.returncode != status or said not in ran.stdout:
            failures += 1
            print(f"{name}: status {ran.returncode}, not {status}, or '{said}' is missing in:\n{ran.stdout}{ran.stderr}")
    print(f"{len(CASES)} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
