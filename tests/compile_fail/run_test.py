#!/usr/bin/env python3
"""Shows that run.py can fail: each kind of bad pair is found, and a good pair passes, without a precompiled header and with one."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).with_name("run.py")

GOOD = """
#ifdef TG_WRONG
static_assert(sizeof(char) == 2, "TG999: a char has one byte");
#endif
// expect: TG999
"""

PAIRS = {  # name: (text, what run.py must say; None when it must pass)
    "good": (GOOD, None),
    "right_half_broken": ("int x = ;\n" + GOOD, "the right half does not compile"),
    "wrong_half_compiles": ("// expect: TG999\n", "the wrong half compiles"),
    "text_missing": (GOOD + "// expect: TG998\n", "the output lacks: TG998"),
    "text_unwanted": (GOOD + "// expect-not: has one byte\n", "the output has: has one byte"),
    "no_expectation": (GOOD.replace("// expect: TG999", ""), "has no '// expect: ' line"),
    "too_long": (GOOD + "#ifdef TG_WRONG\n" + "undeclared a;\n" * 30 + "#endif\n", "lines of output, 25 are allowed"),
}
HEADER = "#include <tg/dsl/kernel/kernel.hpp>\n"  # precompiled, because more than two files include it
PAIRS |= {f"{name}_with_header": (HEADER + text, message) for name, (text, message) in PAIRS.items()}


def judge(compiler, names):
    """How run.py ends on a folder with these pairs, and what it says of each: its verdict and the indented lines below it."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            pathlib.Path(folder, f"{name}.cpp").write_text(PAIRS[name][0])
        command = [sys.executable, str(RUN), "--compiler", compiler, "--folder", folder]
        done = subprocess.run(command, capture_output=True, text=True)
    found = re.findall(r"^(ok|FAIL) +\d+ lines  (\w+)\n((?:      .*\n)*)", done.stdout, re.MULTILINE)
    return done.returncode, {name: (verdict, said) for verdict, name, said in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    code, found = judge(compiler, PAIRS)
    code_when_good, _ = judge(compiler, [name for name, (_, message) in PAIRS.items() if message is None])
    failed = 0
    for name, (_, message) in PAIRS.items():
        verdict, said = found.get(name, ("", "run.py did not judge it"))
        good = verdict == "ok" if message is None else verdict == "FAIL" and message in said
        failed += not good
        print("ok  " if good else "FAIL", name)
        if not good:
            print(verdict, said)
    if (code, code_when_good) != (1, 0):
        print(f"run.py ended with {code} and, when all pairs were good, with {code_when_good}: not with 1 and 0")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
