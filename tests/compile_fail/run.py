#!/usr/bin/env python3
"""Compiles both halves of each tests/compile_fail/*.cpp.

The right half (TG_WRONG not defined) must compile; the wrong half must fail within 25 lines of compiler output that
contain every text written after `// expect: ` in the file, and none written after `// expect-not: `. With --show NAME,
prints what the compiler says of one.

Right halves are compiled several at a time, as one unit (tests/join.py); where a unit does not compile, one by one.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import join

MOST_LINES = 25
LINES_OF_UNIT = 400
ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", "-fdiagnostics-color=never", "-DTG_COMPILED", f"-I{ROOT}/include",
         f"-I{ROOT}"]


def compile_half(compiler, path, extra):
    """Returns whether it compiled, and what the compiler said."""
    done = subprocess.run([compiler, *FLAGS, *extra, str(path)], capture_output=True, text=True, errors="replace")
    return done.returncode == 0, done.stderr


def expectations(text, mark="// expect: "):
    return [line.split(mark, 1)[1].rstrip() for line in text.splitlines() if mark in line]


def right_halves(compiler, paths, folder):
    """Returns, for each right half that does not compile, what the compiler said."""
    unit = folder / f"{paths[0].stem}.cpp"
    unit.write_text(join.joined(unit, paths) if len(paths) > 1 else paths[0].read_text())
    if len(paths) > 1 and compile_half(compiler, unit, [])[0]:
        return {}
    halves = {path: compile_half(compiler, path, []) for path in paths}
    return {path: output for path, (compiled, output) in halves.items() if not compiled}


def judge(compiler, path, refused):
    """Returns the lines that the wrong half cost, and what is wrong with the pair (None when nothing is).

    `refused` has what the compiler said of right halves that do not compile.
    """
    expected = expectations(path.read_text())
    if not expected:
        return 0, "has no '// expect: ' line"
    if path in refused:
        return 0, "the right half does not compile:\n" + refused[path]
    compiled, output = compile_half(compiler, path, ["-DTG_WRONG"])
    lines = sum(1 for line in output.splitlines() if line.strip())
    if compiled:
        return lines, "the wrong half compiles"
    missing = [text for text in expected if text not in output]
    if missing:
        return lines, "\n".join(f"the output lacks: {text}" for text in missing) + "\n" + output
    unwanted = [text for text in expectations(path.read_text(), "// expect-not: ") if text in output]
    if unwanted:
        return lines, "\n".join(f"the output has: {text}" for text in unwanted) + "\n" + output
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

    files = sorted(path.resolve() for path in args.folder.glob("*.cpp"))
    failed, refused = 0, {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, tempfile.TemporaryDirectory() as folder:
        units = join.plan(LINES_OF_UNIT, files)
        for found in pool.map(lambda unit: right_halves(args.compiler, unit, pathlib.Path(folder)), units):
            refused |= found
        for path, (lines, wrong) in zip(files, pool.map(lambda path: judge(args.compiler, path, refused), files)):
            print(f"{'FAIL' if wrong else 'ok':4}  {lines:3} lines  {path.stem}", flush=True)
            if wrong:
                failed += 1
                print("      " + wrong.rstrip().replace("\n", "\n      "), flush=True)
    print(f"{len(files)} pairs with {args.compiler}, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
