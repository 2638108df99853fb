#!/usr/bin/env python3
"""Runs each test file of the given test programs in a process of its own, on the GPU.

A kernel that writes outside its memory breaks the CUDA context of its process, and everything after it fails. So no two test
files share a process. Prints one line for each file that fails, then how many passed; what the failing ones printed is in
OUT/PROGRAM.FILE.txt. Exit status: 0 all passed, 1 some failed, 77 no GPU.

    tests/on_gpu.py [--jobs N] [--timeout SECONDS] [--every N] [--out FOLDER] PROGRAM[:PATTERN,PATTERN] ...

A PATTERN, as `*/conformance/*`, limits a program to the test files that match it.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import time

SKIPPED = 77


def test_files(program, patterns):
    """The files with test cases, as the program itself names them."""
    listed = subprocess.run([program, "--list-test-cases", "--reporters=xml"], capture_output=True, text=True, check=False,
                            env=dict(os.environ, TG_DEVICE="emulator"))
    names = sorted(set(re.findall(r'filename="([^"]*)"', listed.stdout)))
    return [name for name in names if not patterns or any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]


def run(program, file, timeout, wrap):
    start = time.monotonic()
    command = [*wrap, program, f"--source-file={file}", "--no-colors"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False)
        status, text = done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        status, text = "timeout", (late.stdout or b"").decode(errors="replace")
    counts = re.search(r"test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed", text)
    return {"program": program, "file": file, "status": status, "seconds": time.monotonic() - start,
            "passed": int(counts[2]) if counts else 0, "failed": int(counts[3]) if counts else 1, "text": text}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM[:PATTERN,...]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--every", type=int, default=1, help="a sample: one of so many test files")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/on_gpu"))
    parser.add_argument("--wrap", default="", help="a command before each program: compute-sanitizer --error-exitcode 1")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    os.environ["TG_DEVICE"] = "gpu"

    tasks = []
    for item in options.programs:
        program, _, patterns = item.partition(":")
        program = os.path.abspath(program)
        tasks += [(program, file) for file in test_files(program, [p for p in patterns.split(",") if p])[::options.every]]
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(run, program, file, options.timeout, options.wrap.split()) for program, file in tasks]
        for future in concurrent.futures.as_completed(waiting):
            one = future.result()
            results.append(one)
            if one["status"] == 0:
                continue
            name = f"{pathlib.Path(one['program']).name}.{one['file'].replace('/', '_')}"
            print(f"status {one['status']}: {one['failed']} failed, {one['passed']} passed, {one['seconds']:.0f} s: {name}")
            (options.out / f"{name}.txt").write_text(one["text"], encoding="utf-8")
    if results and all(one["status"] == SKIPPED for one in results):
        print("no GPU: skipped")
        return SKIPPED
    (options.out / "results.json").write_text(json.dumps([{k: v for k, v in one.items() if k != "text"} for one in results], indent=1))
    failed = [one for one in results if one["status"] != 0]
    print(f"{len(results)} test files: {len(failed)} failed; {sum(one['passed'] for one in results)} cases passed, "
          f"{sum(one['failed'] for one in failed)} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
