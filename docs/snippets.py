#!/usr/bin/env python3
"""Compiles and runs the C++ of the pages, the README and the cookbook; docs/README.md says what the blocks may be.

snippets.py --compiler "ccache g++" --libraries LIBTG LIBEMULATOR --out FOLDER [PAGE...]    pages and recipes by their paths, or all
snippets.py ... --one-in N                                                                  a random share of them
snippets.py ... --test                                                                      shows that each kind of fault is found

A whole program is a unit of its own. The fragments of a page are one unit, in which each body runs by itself. What must not compile
is tried alone, behind the fragments in front of it. Programs run on the emulator.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

import check
import cookbook
import markdown

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import precompiled
from share import share_of

FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-restrict", "-fdiagnostics-color=never",
         f"-I{ROOT}/include", f"-I{ROOT}", "-DTG_LINKS_LIBRARY"]
MOST_LINES = 25
FRAGMENTS_HEADER = "docs/snippets.hpp"


class Builder:
    def __init__(self, compiler, libraries, out):
        self.compiler, self.libraries, self.out = shlex.split(compiler), libraries, out
        self.flags = FLAGS + ["-Wno-unknown-warning-option"] * ("clang" in self.compiler[-1])
        out.mkdir(parents=True, exist_ok=True)

    def precompile(self):
        """Makes ready what fragments are compiled with, and the header that programs begin with."""
        os.environ["CCACHE_SLOPPINESS"] = "pch_defines,time_macros"
        self.headers = precompiled.Headers(self.compiler, self.flags, self.out / "precompiled")
        for name in (FRAGMENTS_HEADER, "tg/tg.hpp"):
            if complaint := self.headers.add(name):
                sys.exit(f"{name} does not compile:\n{complaint}")

    def compile(self, source, only_syntax=False):
        target = ["-fsyntax-only"] if only_syntax else ["-c", "-o", str(source.with_suffix(".o"))]
        compiler = self.compiler[-1:] if only_syntax else self.compiler
        command = [*compiler, *self.headers.flags_for(source.read_text()), *self.flags, *target, str(source)]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=ROOT)

    def link(self, source):
        first = ["-Wl,--whole-archive", *self.libraries, "-Wl,--no-whole-archive"]
        target = ["-o", str(source.with_suffix(""))]
        command = [self.compiler[-1], str(source.with_suffix(".o")), *first, "-pthread", "-ldl", *target]
        return subprocess.run(command, capture_output=True, text=True)

    def run(self, source):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TG_")}
        return subprocess.run([str(source.with_suffix(""))], capture_output=True, text=True, cwd=self.out,
                              env=dict(environment, TG_DEVICE="emulator", TG_CACHE_DIR=""), timeout=600)


class Unit:
    """Something to compile: `where` for people, `text` of the file, what must come of it."""

    def __init__(self, name, where, text, fails=None, prints=None, is_fragment=False, expected=None):
        self.name, self.where, self.text, self.fails, self.is_fragment = name, where, text, fails, is_fragment
        self.prints = prints            # exactly what a program prints, None: anything
        self.expected = expected or {}  # of a unit of fragments: what a body prints, by the number of the body

    def complaints(self, builder):
        source = builder.out / f"{self.name}.cpp"
        source.write_text((f"#include <{FRAGMENTS_HEADER}>\n" if self.is_fragment else "") + self.text)
        done = builder.compile(source, only_syntax=bool(self.fails))
        if self.fails:
            said = [line for line in done.stderr.splitlines() if line.strip()]
            if done.returncode == 0:
                return [f"{self.where}: it compiles; {self.fails} was to be found"]
            if not any(self.fails in line for line in said[:MOST_LINES]):
                return [f"{self.where}: the first {MOST_LINES} lines do not name {self.fails}:\n" + "\n".join(said[:MOST_LINES])]
            first = next(line for line in said if " error: " in line)
            return [] if self.fails in first else [f"{self.where}: another error comes before {self.fails}: {first}"]
        if done.returncode:
            return [f"{self.where}: it does not compile:\n" + "\n".join(done.stderr.splitlines()[:40])]
        linked = builder.link(source)
        if linked.returncode:
            return [f"{self.where}: it cannot be linked:\n{linked.stderr[-2000:]}"]
        ran = builder.run(source)
        source.with_suffix("").unlink()
        if ran.returncode:
            return [f"{self.where}: status {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}"]
        out = []
        if self.prints is not None and ran.stdout != self.prints:
            out.append(f"{self.where}: it prints\n{ran.stdout}and not\n{self.prints}")
        parts = re.split(r"\x01(\d+)\x01\n", ran.stdout)
        printed = dict(zip(map(int, parts[1::2]), parts[2::2]))
        for number, (where, text) in self.expected.items():
            if printed.get(number) != text:
                out.append(f"{where}: it prints\n{printed.get(number)}and not\n{text}")
        return out


def line_mark(line, path):
    return f'#line {line} "{path}"\n'


def fragments(path, pieces, bodies):
    """One unit: `pieces` at namespace scope, then the bodies, each (line, setup, text)."""
    out = [text for _, text in pieces]
    out.append("\nvoid page([[maybe_unused]] tg::device& gpu) {\n")
    for number, (line, setup, text) in enumerate(bodies):
        out.append(f'  std::fflush(stdout), std::printf("\\x01%d\\x01\\n", {number});\n  {{\n{setup}{line_mark(line, path)}{text}  }}\n')
    return "".join(out) + "}\n\nint main() {\n  tg::device gpu;\n  page(gpu);\n}\n"


def units_of(path, text):
    """The units of a page, and complaints about its notes."""
    page = markdown.read(path, text)
    name = re.sub(r"\W+", "_", str(path).removesuffix(".md"))
    units, out, pieces, bodies, expected = [], [], [], [], {}
    events = [(block.line, "block", block) for block in page.blocks] + [(line, "comment", note) for line, note in page.comments]
    setup = "".join(line_mark(line + 1, path) + note.removeprefix("setup") + "\n"
                    for line, note in page.comments if note.startswith("setup"))
    for line, kind, item in sorted(events, key=lambda event: event[0]):
        if kind == "comment":
            if item.startswith("preamble"):
                pieces.append((line, line_mark(line, path) + item.removeprefix("preamble") + "\n"))
            continue
        notes = [note for note in item.notes if check.NOTES.match(note)]
        note, where = (notes[-1] if notes else ""), f"{path}:{item.line}"
        if note == "prints":
            if "program" in expected:
                expected.pop("program").prints = item.text
            elif "body" in expected:
                number = expected.pop("body")
                expected[number] = (where, item.text)
            else:
                out.append(f"{where}: no program stands in front of what is printed")
            continue
        expected.pop("program", None), expected.pop("body", None)
        if item.language.split()[:1] != ["cpp"] or note.startswith(("not compiled", "from ")):
            continue
        code = line_mark(item.line, path) + item.text
        fails = re.match(r"fails (TG\d{3})( file)?$", note)
        is_program = "int main" in item.text
        if is_program:
            unit = Unit(f"{name}_{item.line}", where, code, fails and fails[1])
            units.append(unit)
            if not fails:
                expected["program"] = unit
        elif fails:
            own = pieces + [(item.line, code)] if fails[2] else pieces
            tried = [] if fails[2] else [(item.line, setup, item.text)]
            units.append(Unit(f"{name}_{item.line}", where, fragments(path, own, tried), fails[1], is_fragment=True))
        elif note == "file":
            pieces.append((item.line, code))
        elif note == "body":
            expected["body"] = len(bodies)
            bodies.append((item.line, setup, item.text))
        else:
            out.append(f"{where}: a comment must say what this C++ is (docs/README.md)")
    if pieces or bodies:
        text = fragments(path, pieces, bodies)
        wanted = {number: what for number, what in expected.items() if isinstance(number, int)}
        units.insert(0, Unit(f"{name}_fragments", f"{path}, its fragments", text, is_fragment=True, expected=wanted))
    return units, out


def recipe(path):
    text = path.read_text()
    title, _, _, printed = cookbook.parts(text)
    where = shown(path)
    complaints = [] if title else [f"{where}: it does not begin with // Title"]
    return Unit(f"cookbook_{path.stem}", where, line_mark(1, where) + text, prints=printed), complaints


def shown(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def collect(paths):
    units, out = [], []
    for path in paths:
        if path.suffix == ".cpp":
            unit, said = recipe(path)
            units.append(unit)
        else:
            own, said = units_of(shown(path), path.read_text())
            units += own
        out += said
    return units, out


def try_all(builder, units, jobs):
    builder.precompile()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [complaint for found in pool.map(lambda unit: unit.complaints(builder), units) for complaint in found]


PROGRAM = '```cpp\n#include <cstdio>\nint main() {{ std::printf("{}\\n"); return {}; }}\n```\n'
FRAGMENTS = "<!-- preamble\ninline int two() { return 2; }\n-->\n<!-- setup\nint n = two();\n-->\n" + (
    "<!-- file -->\n```cpp\nint four() { return two() * 2; }\n```\n")
KERNEL = """tg::kernel<"k">(tg::block<32, 32>, [](auto block, tg::in2<float> a, tg::out2<float> b) {
  auto x = block.thread.x;
  auto y = block.thread.y;
  auto tile = tg::shared<float>(tg::shape<32, 32>);
  tile(y, x) = a(y, x);
  block.sync();
  b(y, x) = tile(%s);
});"""
CASES = [  # page, part of the only complaint (empty: none)
    (PROGRAM.format("a", 0) + "<!-- prints -->\n```text\na\n```\n", ""),
    (PROGRAM.format("a", 0) + "<!-- prints -->\n```text\nb\n```\n", "it prints\na\nand not\nb"),
    (PROGRAM.format("a", 3), "status 3"),
    ("```cpp\nint main() { return nothing; }\n```\n", "page.md:2: it does not compile"),
    ("```cpp\nint a;\n```\n", "a comment must say"),
    ("<!-- prints -->\n```text\nb\n```\n", "no program stands in front"),
    ("<!-- not compiled: a part of a file -->\n```cpp\nint a\n```\n", ""),
    (FRAGMENTS + "<!-- body -->\n```cpp\nif (n + four() != 6) return std::abort();\n```\n<!-- body -->\n```cpp\nint own = n;\n```\n", ""),
    (FRAGMENTS + "<!-- body -->\n```cpp\nif (n + four() != 7) std::exit(7);\n```\n", "status 7"),
    (FRAGMENTS + '<!-- body -->\n```cpp\nstd::printf("%d\\n", n);\n```\n<!-- prints -->\n```text\n2\n```\n', ""),
    (FRAGMENTS + '<!-- body -->\n```cpp\nstd::printf("%d\\n", n);\n```\n<!-- prints -->\n```text\n3\n```\n', "it prints\n2\nand not\n3"),
    ("<!-- file -->\n```cpp\nint four() { return five(); }\n```\n", "page.md, its fragments: it does not compile"),
    (f"<!-- fails TG201 -->\n```cpp\nauto k = {KERNEL % 'x, y'}\n```\n", ""),
    (f"<!-- fails TG201 file -->\n```cpp\ninline constexpr auto k = {KERNEL % 'x, y'}\n```\n", ""),
    (f"<!-- fails TG201 -->\n```cpp\nint other = undeclared_name_of_nobody;\nauto k = {KERNEL % 'x, y'}\n```\n", "another error comes before TG201"),
    (f"<!-- fails TG202 -->\n```cpp\nauto k = {KERNEL % 'x, y'}\n```\n", "do not name TG202"),
    (f"<!-- fails TG201 -->\n```cpp\nauto k = {KERNEL % 'y, x'}\n```\n", "it compiles; TG201 was to be found"),
]


def test(builder, jobs):
    wrong = []
    units, wanted = [], []
    for number, (text, complaint) in enumerate(CASES):
        own, said = units_of("page.md", text)
        for unit in own:
            unit.name = f"case_{number}_{unit.name}"
        if said or not own:
            if len(said) != bool(complaint) or (complaint and complaint not in said[0]):
                wrong.append(f"case {number}: {said}")
            continue
        units.append(own), wanted.append((number, complaint))
    builder.precompile()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda own: [c for unit in own for c in unit.complaints(builder)], units))
    for (number, complaint), said in zip(wanted, found):
        if len(said) != bool(complaint) or (complaint and complaint not in said[0]):
            wrong.append(f"case {number}: {said}")
    print("\n".join(wrong) or f"{len(CASES)} cases end as they should")
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--libraries", nargs=2, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="only a random share of the pages and recipes")
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    given = parser.parse_args()
    builder = Builder(given.compiler, given.libraries, given.out.resolve())
    if given.test:
        return test(builder, given.jobs)
    everything = [ROOT / "README.md", *sorted((ROOT / "docs/pages").rglob("*.md")), *cookbook.own_programs()]
    paths = [path.resolve() for path in given.paths] or share_of(everything, given.one_in, "pages and recipes")
    units, complaints = collect(paths)
    complaints += try_all(builder, units, given.jobs)
    for complaint in complaints:
        print(complaint)
    print(f"{len(units)} units of {len(paths)} pages and recipes: {len(units) - len(complaints)} are as they should be")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
