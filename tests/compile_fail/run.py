#!/usr/bin/env python3
"""Compiles both halves of each tests/compile_fail/*.cpp.

The right half (TG_WRONG not defined) must compile; the wrong half must fail within 25 lines of compiler output that
contain every text written after `// expect: ` in the file. With --show NAME, prints what the compiler says of one.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

MOST_LINES = 25
ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", "-fdiagnostics-color=never", "-DTG_COMPILED", f"-I{ROOT}/include",
         f"-I{ROOT}"]


def compile_half(compiler, path, extra):
    """Returns whether it compiled, and what the compiler said."""
    done = subprocess.run([compiler, *FLAGS, *extra, str(path)], capture_output=True, text=True, errors="replace")
    return done.returncode == 0, done.stderr


def expectations(text):
    return [line.split("// expect: ", 1)[1].rstrip() for line in text.splitlines() if "// expect: " in line]


def judge(compiler, path):
    """Returns the lines that the wrong half cost, and what is wrong with the pair (None when nothing is)."""
    expected = expectations(path.read_text())
    if not expected:
        return 0, "has no '// expect: ' line"
    compiled, output = compile_half(compiler, path, [])
    if not compiled:
        return 0, "the right half does not compile:\n" + output
    compiled, output = compile_half(compiler, path, ["-DTG_WRONG"])
    lines = sum(1 for line in output.splitlines() if line.strip())
    if compiled:
        return lines, "the wrong half compiles"
    missing = [text for text in expected if text not in output]
    if missing:
        return lines, "\n".join(f"the output lacks: {text}" for text in missing) + "\n" + output
    if lines > MOST_LINES:
        return lines, f"{lines} lines of output, {MOST_LINES} are allowed:\n" + output
    return lines, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "tests/compile_fail")
    parser.add_argument("--show", metavar="NAME", help="print the output for the wrong half of NAME.cpp")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()

    if args.show:
        compiled, output = compile_half(args.compiler, args.folder / f"{args.show}.cpp", ["-DTG_WRONG"])
        print(output or "it compiles")
        return 1 if compiled else 0

    files = sorted(args.folder.glob("*.cpp"))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for path, (lines, wrong) in zip(files, pool.map(lambda path: judge(args.compiler, path), files)):
            print(f"{'FAIL' if wrong else 'ok':4}  {lines:3} lines  {path.stem}", flush=True)
            if wrong:
                failed += 1
                print("      " + wrong.rstrip().replace("\n", "\n      "), flush=True)
    print(f"{len(files)} pairs with {args.compiler}, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
