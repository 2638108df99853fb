#!/usr/bin/env python3
"""Compiles every header without anything in front of it that it does not include itself.

A header whose includes contain all that was included before it gets nothing from its neighbours. So headers are ordered into
chains in each of which the next one includes, directly or not, the one before; a chain is one translation unit, and there
are a third as many of them as headers. Each header of this project has its includes before its code, which makes this exact.
A header without `#pragma once` is a chain by itself.

With --doors only those headers are looked at that somebody outside their floor includes: the umbrella headers, and what
another floor uses.

headers_alone.py --compiler "ccache g++" --out FOLDER [--doors] [--root FOLDER:INCLUDED_AS...] [FLAG...]
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from share import share_of

PROJECT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'#include [<"]([^>"]+)[>"]')
NOT_ALONE = {"tg/library.hpp", "tg/gpu_library.hpp", "tg/array_library.hpp"}  # source files, which tests/strangers/by_hand compiles


def headers_of(folders):
    """Each header as it is included, with the names that it includes; and those that are made to be included often.

    `folders` are where includes are looked up.
    """
    out, repeated = {}, set()
    for folder, below in folders:
        for path in sorted([*(folder / below).rglob("*.hpp"), *(folder / below).rglob("*.inl")]):
            text = path.read_text()
            name = path.relative_to(folder).as_posix()
            if name in NOT_ALONE:
                continue
            out[name] = INCLUDE.findall(text)
            if "#pragma once" not in text:
                repeated.add(name)
    return out, repeated


def reached_from(header, headers):
    """All headers that `header` includes, directly or not."""
    reached, waiting = set(), [header]
    while waiting:
        for name in headers[waiting.pop()]:
            if name in headers and name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


def floor_of(header):
    """Its folder, or the highest but one that it is in: x/y/a.hpp and x/y/z/b.hpp have x/y."""
    return header.split("/")[:-1][:2]


def doors_of(headers, repeated):
    """The doors of all floors, each with the doors that it includes, directly or not."""
    highest = min(name.count("/") for name in headers) if headers else 0
    doors = {name for name in headers if name.count("/") == highest}
    for header, names in headers.items():
        doors.update(name for name in names if name in headers and floor_of(name) != floor_of(header))
    doors -= repeated
    return {door: sorted(reached_from(door, headers) & doors) for door in doors}


def chains_of(headers, repeated):
    """The fewest chains that hold every header once (a matching of each header with the one in front of it)."""
    reached = {header: reached_from(header, headers) for header in headers}
    before = {h: sorted(x for x in reached[h] - repeated if h not in reached[x]) for h in headers}
    next_of = {}

    def match(header, seen):
        for other in before[header]:
            if other in seen:
                continue
            seen.add(other)
            if other not in next_of or match(next_of[other], seen):
                next_of[other] = header
                return True
        return False

    starts = set(headers)
    for header in headers:
        if header not in repeated:
            match(header, set())
    starts -= set(next_of.values())
    chains = []
    for header in sorted(starts):
        chains.append([header])
        while chains[-1][-1] in next_of:
            chains[-1].append(next_of[chains[-1][-1]])
    return chains


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++", help="with a launcher in front where there is one")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="where the translation units are written")
    parser.add_argument("--doors", action="store_true", help="not what only its own floor includes")
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="only a random share of the units")
    parser.add_argument("--root", action="append", help="FOLDER:BELOW, all headers under FOLDER/BELOW, included from FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args, flags = parser.parse_known_args()
    sys.setrecursionlimit(10000)

    roots = args.root or [f"{PROJECT}/include:tg", f"{PROJECT}:kernels"]
    folders = [(pathlib.Path(folder), below) for folder, below in (root.split(":") for root in roots)]
    headers, repeated = headers_of(folders)
    if args.doors:
        headers = doors_of(headers, repeated)
    chains = share_of(chains_of(headers, repeated), args.one_in, "units")
    args.out.mkdir(parents=True, exist_ok=True)
    command = [*args.compiler.split(), "-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
               *(f"-I{folder}" for folder, _ in folders), *flags]

    def compile_chain(chain):
        unit = args.out / (chain[-1].replace("/", "_") + ".cpp")
        unit.write_text("".join(f"#include <{header}>\n" for header in chain))
        done = subprocess.run([*command, "-fsyntax-only", str(unit)], capture_output=True, text=True, errors="replace")
        return done.stderr if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        complaints = [text for text in pool.map(compile_chain, chains) if text]
    print("\n".join(complaints), end="")
    print(f"{sum(map(len, chains))} headers in {len(chains)} units, {len(complaints)} units do not compile")
    return 1 if complaints or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
