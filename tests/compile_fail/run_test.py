#!/usr/bin/env python3
"""Shows that run.py can fail: each kind of bad pair is found, and a good pair passes."""

import argparse
import pathlib
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
    "no_expectation": (GOOD.replace("// expect: TG999", ""), "has no '// expect: ' line"),
    "too_long": (GOOD + "#ifdef TG_WRONG\n" + "undeclared a;\n" * 30 + "#endif\n", "lines of output, 25 are allowed"),
}


def verdict(compiler, text):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "pair.cpp").write_text(text)
        command = [sys.executable, str(RUN), "--compiler", compiler, "--folder", folder]
        return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    failed = 0
    for name, (text, message) in PAIRS.items():
        done = verdict(compiler, text)
        good = done.returncode == 0 if message is None else done.returncode == 1 and message in done.stdout
        failed += not good
        print("ok  " if good else "FAIL", name)
        if not good:
            print(done.stdout, done.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
