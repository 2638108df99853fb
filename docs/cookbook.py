"""The pages of the cookbook, made of the programs docs/cookbook/NAME.cpp and of those programs of examples/ that have a title.

A program begins with `// Title`, an empty comment line, then comment lines: the text of its page, as Markdown. It may end with a
comment whose first line is `// Prints:`; the lines below it are exactly what the program prints.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


def own_programs(root=ROOT):
    """Those that are nowhere else."""
    return sorted((root / "docs" / "cookbook").glob("*.cpp"))


def programs(root=ROOT):
    """All, in the order of their pages. No two of one name."""
    examples = [path for path in (root / "examples").rglob("*.cpp") if path.read_text().split("\n")[1:2] == ["//"]]
    return sorted([*own_programs(root), *examples], key=lambda path: path.name)


def parts(text):
    """Title, text, code, and what the program prints (None where it does not say)."""
    lines = text.rstrip("\n").split("\n")
    end = next((k for k, line in enumerate(lines) if not line.startswith("//")), len(lines))
    comment = [re.sub(r"^// ?", "", line) for line in lines[:end]]
    printed = None
    start = len(lines)
    while start > end and lines[start - 1].startswith("//"):
        start -= 1
    if start < len(lines) and lines[start] == "// Prints:":
        printed = "".join(re.sub(r"^// ?", "", line) + "\n" for line in lines[start + 1 :])
        lines = lines[:start]
    code = "\n".join(lines[end:]).strip("\n") + "\n"
    return comment[0] if comment else "", "\n".join(comment[1:]).strip("\n"), code, printed


def page(path, root=ROOT):
    title, text, code, printed = parts(path.read_text())
    out = [f"# {title}", "", text, "", "```cpp", code.rstrip("\n"), "```", ""]
    if printed is not None:
        out += ["It prints:", "", "```text", printed.rstrip("\n"), "```", ""]
    return "\n".join(out + [f"The program is `{path.relative_to(root)}`.", ""])


GROUPS = [  # a program is in the first whose text it has
    ("Tiles", r"tg::(tile_at|dot)\b"),
    ("Reports, costs, proofs and tests", r"tg/(explain|emulator)|tg/dsl/(cost|proof)|tg::to_ptx"),
    ("Arrays", r"tg/array"),
    ("Devices, streams, files", r"tg::(stream|package_of|managed|pinned|event)\b|gpu\.view|catch \("),
    ("Lanes", ""),
]


def front_page(root=ROOT):
    groups = {title: [] for title, _ in GROUPS}
    for path in programs(root):
        title, _, code, _ = parts(path.read_text())
        group = next(name for name, mark in GROUPS if re.search(mark, code))
        groups[group].append(f"- [{title}]({path.stem}.md)")
    out = ["# Cookbook", "", "Whole programs. The tests compile and run each of them; each page names its file."]
    for title in ("Arrays", "Tiles", "Lanes", *(name for name in groups if name not in ("Arrays", "Tiles", "Lanes"))):
        if groups[title]:
            out += ["", f"## {title}", "", *sorted(groups[title])]
    return "\n".join([*out, ""])
