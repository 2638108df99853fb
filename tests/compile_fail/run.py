#!/usr/bin/env python3
"""Compiles both halves of each tests/compile_fail/*.cpp.

The right half (TG_WRONG not defined) must compile; the wrong half must fail within 25 lines of compiler output that
contain every text written after `// expect: ` in the file, and none written after `// expect-not: `. With --show NAME,
prints what the compiler says of one.

Right halves are compiled several at a time, as one unit (tests/join.py); where a unit does not compile, one by one. Files that
include the header COMMON find it precompiled, which halves their time. An output that comes near the limit of lines is counted
without it, as a user gets it, and what does not compile with it is tried without: clang 14 crashes on some.
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
FEW_LINES = 17
ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-fdiagnostics-color=never", f"-I{ROOT}/include", f"-I{ROOT}"]
COMMON = "#include <tg/dsl/kernel/kernel.hpp>\n"


def precompiled(compiler, folder):
    """The flags that bring COMMON; none where the compiler does not precompile it."""
    header = folder / "common.hpp"
    header.write_text(COMMON)
    out, use = (header.with_suffix(".pch"), "-include-pch") if "clang" in compiler else (folder / "common.hpp.gch", "-include")
    done = subprocess.run([compiler, *FLAGS, "-x", "c++-header", str(header), "-o", str(out)], capture_output=True)
    return [] if done.returncode else [use, str(out if use == "-include-pch" else header)]


def compile_half(compiler, path, extra, common=()):
    """Returns whether it compiled, and what the compiler said. `common`: the flags that bring COMMON."""
    ready = common if COMMON in path.read_text() else ()
    done = subprocess.run([compiler, *FLAGS, "-fsyntax-only", *extra, *ready, str(path)], capture_output=True, text=True, errors="replace")
    return done.returncode == 0, done.stderr


def count_lines(output):
    return sum(1 for line in output.splitlines() if line.strip())


def expectations(text, mark="// expect: "):
    return [line.split(mark, 1)[1].rstrip() for line in text.splitlines() if mark in line]


def right_halves(compiler, paths, folder, common):
    """Returns, for each right half that does not compile, what the compiler said."""
    unit = folder / f"{paths[0].stem}.cpp"
    unit.write_text(join.joined(unit, paths) if len(paths) > 1 else paths[0].read_text())
    if compile_half(compiler, unit, [], common)[0]:
        return {}
    halves = {path: compile_half(compiler, path, []) for path in paths}
    return {path: output for path, (compiled, output) in halves.items() if not compiled}


def judge(compiler, path, refused, common):
    """Returns the lines that the wrong half cost, and what is wrong with the pair (None when nothing is).

    `refused` has what the compiler said of right halves that do not compile.
    """
    expected = expectations(path.read_text())
    if not expected:
        return 0, "has no '// expect: ' line"
    if path in refused:
        return 0, "the right half does not compile:\n" + refused[path]
    compiled, output = compile_half(compiler, path, ["-DTG_WRONG"], common)
    if count_lines(output) > FEW_LINES:
        compiled, output = compile_half(compiler, path, ["-DTG_WRONG"])
    lines = count_lines(output)
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
        folder = pathlib.Path(folder)
        common = precompiled(args.compiler, folder)
        units = join.plan(LINES_OF_UNIT, files)
        for found in pool.map(lambda unit: right_halves(args.compiler, unit, folder, common), units):
            refused |= found
        for path, (lines, wrong) in zip(files, pool.map(lambda path: judge(args.compiler, path, refused, common), files)):
            print(f"{'FAIL' if wrong else 'ok':4}  {lines:3} lines  {path.stem}", flush=True)
            if wrong:
                failed += 1
                print("      " + wrong.rstrip().replace("\n", "\n      "), flush=True)
    print(f"{len(files)} pairs with {args.compiler}, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
