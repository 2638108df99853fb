#!/usr/bin/env python3
"""Compiles both halves of each tests/compile_fail/*.cpp.

The right half (TG_WRONG not defined) must compile; the wrong half must fail within 25 lines of compiler output that
contain every text written after `// expect: ` in the file, and none written after `// expect-not: `. With --show NAME,
prints what the compiler says of one.

Right halves are compiled several at a time, as one unit (tests/join.py); where a unit does not compile, one by one. Files that
include one of the headers PRECOMPILED find it so (tests/precompiled.py), which takes a third of the time. What then fails is tried
without, and --alone tries all so: a file whose first include is another one can get longer messages.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import join
import precompiled
from share import share_of

MOST_LINES = 25
LINES_OF_UNIT = 400
ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-fdiagnostics-color=never", f"-I{ROOT}/include", f"-I{ROOT}"]
PRECOMPILED = ["tg/dsl/kernel/kernel.hpp", "tg/tile.hpp", "tg/array.hpp", "tg/runtime/device.hpp", "tg/runtime/stream.hpp"]


def compile_half(compiler, path, extra, headers=None):
    """Returns whether it compiled, and what the compiler said. `headers`: those that are precompiled."""
    ready = headers.flags_for(path.read_text()) if headers else []
    command = [compiler, *ready, *FLAGS, "-fsyntax-only", *extra, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.returncode == 0, done.stderr


def count_lines(output):
    return sum(1 for line in output.splitlines() if line.strip())


def expectations(text, mark="// expect: "):
    return [line.split(mark, 1)[1].rstrip() for line in text.splitlines() if mark in line]


def right_halves(compiler, paths, folder, headers):
    """Returns, for each right half that does not compile, what the compiler said."""
    unit = folder / f"{paths[0].stem}.cpp"
    unit.write_text(join.joined(unit, paths) if len(paths) > 1 else paths[0].read_text())
    if compile_half(compiler, unit, [], headers)[0]:
        return {}
    halves = {path: compile_half(compiler, path, []) for path in paths}
    return {path: output for path, (compiled, output) in halves.items() if not compiled}


def judge_wrong(compiler, path, headers):
    """Returns the lines that the wrong half cost, and what is wrong with it (None when nothing is)."""
    expected, unwanted = expectations(path.read_text()), expectations(path.read_text(), "// expect-not: ")
    compiled, output = compile_half(compiler, path, ["-DTG_WRONG"], headers)
    lines = count_lines(output)
    if compiled:
        return lines, "the wrong half compiles"
    faults = [f"the output lacks: {text}" for text in expected if text not in output]
    faults += [f"the output has: {text}" for text in unwanted if text in output]
    if lines > MOST_LINES:
        faults.append(f"{lines} lines of output, {MOST_LINES} are allowed:")
    return lines, "\n".join([*faults, output]) if faults else None


def judge(compiler, path, refused, headers):
    """Returns the lines that the wrong half cost, and what is wrong with the pair (None when nothing is).

    `refused` has what the compiler said of right halves that do not compile.
    """
    if not expectations(path.read_text()):
        return 0, "has no '// expect: ' line"
    if path in refused:
        return 0, "the right half does not compile:\n" + refused[path]
    lines, wrong = judge_wrong(compiler, path, headers)
    return judge_wrong(compiler, path, None) if wrong and headers else (lines, wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "tests/compile_fail")
    parser.add_argument("--show", metavar="NAME", help="print the output for the wrong half of NAME.cpp")
    parser.add_argument("--alone", action="store_true", help="precompile nothing")
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="only a random share of the files")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()

    if args.show:
        compiled, output = compile_half(args.compiler, args.folder / f"{args.show}.cpp", ["-DTG_WRONG"])
        print(output or "it compiles")
        return 1 if compiled else 0

    files = share_of(sorted(path.resolve() for path in args.folder.glob("*.cpp")), args.one_in, "files")
    failed, refused = 0, {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        headers = None if args.alone else precompiled.Headers([args.compiler], FLAGS, folder)
        if headers:
            texts = [path.read_text() for path in files]
            list(pool.map(headers.add, [name for name in PRECOMPILED if sum(f"<{name}>" in text for text in texts) > 2]))
        units = join.plan(LINES_OF_UNIT, files)
        for found in pool.map(lambda unit: right_halves(args.compiler, unit, folder, headers), units):
            refused |= found
        for path, (lines, wrong) in zip(files, pool.map(lambda path: judge(args.compiler, path, refused, headers), files)):
            print(f"{'FAIL' if wrong else 'ok':4}  {lines:3} lines  {path.stem}", flush=True)
            if wrong:
                failed += 1
                print("      " + wrong.rstrip().replace("\n", "\n      "), flush=True)
    print(f"{len(files)} pairs with {args.compiler}, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
