#!/usr/bin/env python3
"""Joins test files into translation units, so that what they share is parsed and instantiated once.

join.py --plan LINES FILE...   prints the units: one a line, its files separated by semicolons, each of about LINES lines
join.py OUT FILE...            writes a unit: the includes of its files, then the code of each in a namespace of its own

A `#line` in front of each part keeps messages and __FILE__ as they would be without it. A file that opens a named namespace,
defines what another namespace declares, adapts a struct, defines a macro, has code before its last include or includes a
header without `#pragma once` is a unit by itself.
"""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)[>"]')
OUTSIDE = re.compile(r"""namespace\s+[\w:]+\s*\{|template\s*<>\s*(struct|class|inline\s+constexpr\s+\w+)\s+\w+::
                         |\w[\w:<>&*\s]*\s[&*]?\w+::\w+\([^;]*\{$|\s*\#\s*define\b|int\s+main\b|extern\s|BOOST_HANA_ADAPT_STRUCT""", re.VERBOSE)


def is_included_often(name):
    """Whether it is a header of this project that is made to be included several times."""
    path = ROOT / "include" / name[1]
    return name[0] == "<" and path.exists() and "#pragma once" not in path.read_text()


def parts(path):
    """The includes of a file, the number of lines before its code, and its code; None where it cannot be joined."""
    lines = path.read_text().splitlines()
    places = [i for i, line in enumerate(lines) if INCLUDE.match(line)]
    end = places[-1] + 1 if places else 0
    mixed = [line for line in lines[:end] if line.strip() and not INCLUDE.match(line) and not line.startswith("//")]
    names = [INCLUDE.match(lines[i]).groups() for i in places]
    if mixed or any(OUTSIDE.match(line) for line in lines[end:]) or any(map(is_included_often, names)):
        return None
    return names, end, lines[end:]


def plan(most_lines, paths):
    """Lists of files: those that must be alone, then neighbours until `most_lines` are reached."""
    alone, units, count = [], [], most_lines
    for path in sorted(paths, key=lambda path: (path.parent, path.name)):
        if parts(path) is None:
            alone.append([path])
            continue
        if count >= most_lines:
            units.append([])
            count = 0
        units[-1].append(path)
        count += len(path.read_text().splitlines())
    return alone + units


def joined(out, paths):
    """The text of the unit `out`."""
    includes, bodies = [], []
    for number, path in enumerate(paths):
        found = parts(path)
        if found is None:
            sys.exit(f"{path} cannot be joined any more: run cmake again")
        names, start, code = found
        for mark, name in names:
            line = f"#include <{name}>" if mark == "<" else f'#include "{os.path.relpath(path.parent / name, out.parent)}"'
            if line not in includes:
                includes.append(line)
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        bodies += [f"namespace part_{number} {{", f'#line {start + 1} "{shown.as_posix()}"', *code, "}"]
    return "\n".join(includes + bodies) + "\n"


def main():
    if sys.argv[1] == "--plan":
        for unit in plan(int(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]):
            print(";".join(map(str, unit)))
        return
    out = pathlib.Path(sys.argv[1]).resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(joined(out, [pathlib.Path(name).resolve() for name in sys.argv[2:]]))


if __name__ == "__main__":
    main()
