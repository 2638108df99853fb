#!/usr/bin/env python3
"""Puts faults back into the headers, one at a time, and says whether the test that is to find each one does.

usage: planted.py BUILD [--only TEXT]

BUILD is a build folder whose libraries are built. The file that a fault is in is copied and changed; the unit of the library that
has its bodies and the test are compiled against the copy and linked with the rest of BUILD. The unchanged test has to pass, and to
fail, crash or hang with the fault.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("libtg_library.a", "libtg_emulator.a")


@dataclasses.dataclass(frozen=True)
class Defect:
    """A fault: what `file` says today, what it said instead, and a test case that finds the difference."""

    what: str
    file: str  # below include/
    now: str
    before: str
    test: str
    case: str
    needs_root: bool = False  # the test case skips itself otherwise


def command_of(build, unit):
    """The command by which the build compiles a unit of the library, up to its output."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith(f"/compiled/{unit}.cpp"):
            words = shlex.split(entry["command"])
            return words[: words.index("-o")], entry["file"]
    sys.exit(f"planted.py: {build} has no unit '{unit}'")


def units_of(build, file):
    """The units of the library that have the bodies of a file; those of its folder where they are in its users."""
    found = [p.stem for p in (build / "compiled").glob("*.cpp") if f"<{file}>" in p.read_text()]
    return found or [{"driver": "driver", "runtime": "runtime"}.get(file.split("/")[1], "runtime")]


def run(words, limit):
    """Returns: the exit code, and everything that was printed; a hang is an exit code of its own."""
    try:
        done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit,
                              env={**os.environ, "TG_DEVICE": "emulator"}, check=False)
    except subprocess.TimeoutExpired:
        return "hangs", ""
    return done.returncode, done.stdout.decode(errors="replace")


def must(words):
    code, text = run(words, 1200)
    if code != 0:
        sys.exit(f"planted.py: {shlex.join(map(str, words))}\n{text}")


def build_test(build, work, test, overlay, units):
    """Compiles a test with the files of `overlay` before those of the project. Returns: the program."""
    include = [f"-I{overlay}"] if overlay else []
    test_flags = ["g++", "-std=gnu++20", "-O0", "-DTG_LINKS_LIBRARY", "-DTG_CUDA_H", *include, f"-I{ROOT}/include", f"-I{ROOT}"]
    program, main = work / "test", work / "main.o"
    jobs = [[*test_flags, "-c", ROOT / test, "-o", work / "test.o"], [*test_flags, "-c", ROOT / "tests/main.cpp", "-o", main]]
    objects = []
    for unit in units:
        words, source = command_of(build, unit)
        objects.append(work / f"{unit}.cpp.o")
        jobs.append([words[0], *include, *[w for w in words[1:] if not w.startswith("-O")], "-O0", "-o", objects[-1], "-c", source])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(must, jobs))
    archives = []
    for library in LIBRARIES:
        archives.append(shutil.copy(build / library, work / library))
        members = subprocess.run(["ar", "t", archives[-1]], stdout=subprocess.PIPE, check=True).stdout.decode().split()
        own = [o for o in objects if o.name in members]
        if own:
            must(["ar", "r", archives[-1], *own])
    must(["g++", work / "test.o", main, "-Wl,--undefined=tg_emulator_table", "-Wl,--whole-archive", *archives,
          "-Wl,--no-whole-archive", "-lxxhash", "-lpthread", "-ldl", "-o", program])
    return program


def verdict(program, case):
    """Returns: how the test case ends, and what it printed."""
    code, text = run([program, f"--test-case={case}", "--no-skip=false"], 300)
    ran = re.search(r"test cases:\s+(\d+)", text)
    if code == 0 and (not ran or int(ran[1]) == 0):
        return "runs nothing", text
    return {0: "passes", 1: "fails", "hangs": "hangs"}.get(code, "crashes"), text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--only", default="", help="defects whose description has this text")
    args = parser.parse_args()
    build = args.build.resolve()
    sys.path.insert(0, str(Path(__file__).parent))
    sys.modules["planted"] = sys.modules["__main__"]
    import driver_layer

    wrong = 0
    clean = {}  # of each test, its program without a fault
    with tempfile.TemporaryDirectory() as folder:
        chosen = [d for d in driver_layer.DEFECTS if args.only in d.what]
        for number, defect in enumerate(chosen):
            if defect.needs_root and os.geteuid() != 0:
                print(f"skipped  {defect.what}: its test needs root", flush=True)
                continue
            work = Path(folder) / str(number)
            target = work / "include" / defect.file
            target.parent.mkdir(parents=True)
            text = (ROOT / "include" / defect.file).read_text()
            if text.count(defect.now) != 1:
                sys.exit(f"planted.py: {defect.file} has {text.count(defect.now)} times: {defect.now}")
            target.write_text(text.replace(defect.now, defect.before))
            if defect.test not in clean:
                of_clean = Path(folder) / f"clean{number}"
                of_clean.mkdir()
                clean[defect.test] = build_test(build, of_clean, defect.test, None, [])
            before, printed = verdict(clean[defect.test], defect.case)
            if before == "passes":
                program = build_test(build, work, defect.test, work / "include", units_of(build, defect.file))
                after, printed = verdict(program, defect.case)
                shutil.rmtree(work)
            is_found = before == "passes" and after in ("fails", "crashes", "hangs")
            wrong += not is_found
            said = after if before == "passes" else f"{before} without the fault"
            print(f"{'found   ' if is_found else 'NOT FOUND'} {defect.what}: {Path(defect.test).name} {said}", flush=True)
            if not is_found:
                print(printed[-2000:], flush=True)
    print(f"{len(chosen)} defects, {wrong} not found")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
