#!/usr/bin/env python3
"""The reference: a page for each header with public names, a page of words for each folder.

reference.py FOLDER    writes the pages into FOLDER
"""

import functools
import pathlib
import re
import sys

import declarations

FIELDS = ["Requires", "Shapes", "Units", "Returns", "Errors", "PTX", "Cost", "Source", "Example"]
FOLDERS = {
    "dsl": "The language of kernels", "tile": "Tiles", "tree": "Words for elements of tiles and arrays", "array": "Arrays",
    "runtime": "Devices, memory, launches, streams, graphs", "analysis": "The hardware model", "layout": "Layouts of tiles and fragments",
    "explain": "Reports", "emulator": "The emulator", "ptx": "The intermediate representation", "driver": "The driver's functions",
    "base": "Words that all share",
}
UMBRELLAS = ["tg/tg.hpp", "tg/dsl.hpp", "tg/tile.hpp", "tg/array.hpp", "tg/runtime.hpp", "tg/explain.hpp", "tg/emulator.hpp", "tg/ptx.hpp",
             "tg/analysis.hpp", "tg/driver.hpp"]


def page_of(path, root=declarations.INCLUDE):
    """The page of a header, from the folder of the reference on: dsl/memory/view.md."""
    return path.relative_to(root / "tg").with_suffix(".md")


@functools.cache
def public_headers(root=declarations.INCLUDE):
    """Headers with something to say, and their declarations."""
    out = {}
    read = {path: declarations.declarations_in(path.read_text(), path.stem) for path in declarations.headers(root)}
    defined = {(d.space, d.name) for all_of in read.values() for d in all_of if d.kind in ("class", "enum") and not d.is_forward}
    for path, all_of in read.items():
        declared = [d for d in all_of if is_shown(d) and not (d.is_forward and (d.space, d.name) in defined)]
        if declared and len(path.relative_to(root / "tg").parts) > 1:
            out[path] = declared
    return out


def is_shown(d):
    if d.space.startswith(("tg::diagnosis", "tg::index")) and not d.comment:
        return False
    return d.kind not in ("guide",) and (d.kind != "operator" or bool(d.comment))


def pages(root=declarations.INCLUDE):
    """Every page that is made, from the folder of the reference on."""
    out = {page_of(path, root) for path in public_headers(root)}
    return out | {pathlib.PurePosixPath(f"{page.parts[0]}/index.md") for page in out} | {pathlib.PurePosixPath("index.md")}


def anchor(d):
    return d.name if d.space == "tg" else f"{d.space.removeprefix('tg::').replace('::', '-')}-{d.name}"


def anchors(path, root=declarations.INCLUDE):
    return {anchor(d) for d in public_headers(root).get(path, [])}


@functools.cache
def reached(umbrella):
    seen, waiting = set(), [umbrella]
    while waiting:
        target = waiting.pop()
        path = declarations.INCLUDE / target
        if target in seen or not path.exists():
            continue
        seen.add(target)
        waiting += re.findall(r"^\s*#\s*include\s*<(tg/[^>]+)>", path.read_text(), re.MULTILINE)
    return seen


def escaped(text, codes="../errors.md"):
    """Text of a comment as Markdown: what is not between backticks means itself; error codes are links."""
    out = []
    for k, part in enumerate(re.split(r"(`[^`\n]*`)", text)):
        if k % 2:
            out.append(part)
            continue
        part = re.sub(r"([\\*_\[\]|{}#])", r"\\\1", part).replace("<", "&lt;").replace(">", "&gt;")
        out.append(re.sub(r"\bTG(\d{3})\b", lambda m: f"[TG{m[1]}]({codes}#tg{m[1]})", part))
    return "".join(out)


def prose(comment, codes):
    """The lines of a comment as Markdown: paragraphs, lines that are set in as text, fields as a list."""
    out, paragraph, picture = [], [], []

    def flush():
        if picture:
            out.extend(["", "```text", *picture, "```", ""])
            picture.clear()
        if paragraph:
            text = " ".join(paragraph)
            parts = re.split(rf"(?:(?<=[.;:)`\d])|^)\s*\b({'|'.join(FIELDS)}): ", text)
            if parts[0].strip():
                out.extend([escaped(parts[0].strip(), codes), ""])
            for name, value in zip(parts[1::2], parts[2::2]):
                out.append(f"- **{name}**: {escaped(value.strip(), codes)}")
            if len(parts) > 1:
                out.append("")
            paragraph.clear()

    for line in comment.split("\n"):
        is_set_in = line.startswith("  ") and line.strip()
        if not line.strip() or bool(is_set_in) != bool(picture):
            flush()
        if is_set_in:
            picture.append(line)
        elif line.strip():
            paragraph.append(line.strip())
    flush()
    return out


def sentence(comment):
    first = " ".join(comment.split("\n\n")[0].split())
    return re.split(r"(?<=[.])\s|\s(?:%s): " % "|".join(FIELDS), first)[0].rstrip(":")


def code(lines):
    return ["```cpp", *lines, "```", ""]


def members(d, codes):
    shown = [m for m in d.members if m.kind not in ("guide",) and not m.name.startswith("~") and not m.name.endswith("_")]
    if not shown:
        return []
    out = [("???+" if any(m.comment for m in shown) else "???") + " note \"Members\"", ""]
    for m in shown:
        signature = " ".join(m.signature.split())
        out += [f"    ```cpp", f"    {signature};", "    ```", ""]
        out += ["    " + line if line else "" for line in prose(m.comment, codes)]
    return out + [""]


def header_page(path, declared):
    relative = path.relative_to(declarations.INCLUDE)
    codes = "../" * (len(relative.parts) - 1) + "errors.md"
    out = [f"# {relative}", ""]
    out += prose(declarations.opening(path.read_text()), codes)
    out += code([f"#include <{relative}>"])
    having = [f"`{u}`" for u in UMBRELLAS if str(relative) in reached(u)]
    if having:
        out += [f"Also in {', '.join(having)}.", ""]
    groups = {}
    for d in declared:
        groups.setdefault((d.space, d.name), []).append(d)
    for (space, name), group in groups.items():
        shown = f"{space}::{name}".removeprefix("tg::") if space != "tg" else name
        out += [f"## {escaped(shown)} {{ #{anchor(group[0])} }}", ""] if group[0].kind != "operator" else [f"## {escaped(shown)}", ""]
        for d in group:
            out += code([" ".join(d.signature.split()) + ";"]) + prose(d.comment, codes) + members(d, codes)
    return "\n".join(out) + "\n"


def folder_page(folder, chosen):
    out = [f"# {FOLDERS.get(folder, folder)}", "", "| word | what | header |", "|---|---|---|"]
    rows = {}
    for path, declared in chosen.items():
        page = pathlib.PurePosixPath(*page_of(path).parts[1:])
        for d in declared:
            if d.kind == "operator" or d.space.startswith(("tg::diagnosis", "tg::index")):
                continue
            key = (d.space.removeprefix("tg").removeprefix("::"), d.name, str(page))
            if not rows.get(key):
                rows[key] = sentence(d.comment)
    for (space, name, page), what in sorted(rows.items(), key=lambda row: (row[0][0] != "", row[0])):
        own = anchor(declarations.Declaration("::".join(filter(None, ["tg", space])), name, "", "", "", 0))
        word = f"{space}::{name}" if space else name
        out.append(f"| [`{word}`]({page}#{own}) | {escaped(what, '../errors.md')} | `{page.removesuffix('.md')}.hpp` |")
    return "\n".join(out) + "\n"


def front_page(folders):
    out = ["# Reference", "", "Every public name, from the comments of the headers. The search finds names too.", ""]
    out += ["| part | headers |", "|---|---|"]
    known = [f for f in FOLDERS if f in folders] + sorted(set(folders) - set(FOLDERS))
    out += [f"| [{FOLDERS.get(f, f)}]({f}/index.md) | `tg/{f}/` |" for f in known]
    return "\n".join(out) + "\n"


def write(folder):
    made, by_folder = {}, {}
    for path, declared in public_headers().items():
        page = page_of(path)
        made[page] = header_page(path, declared)
        by_folder.setdefault(page.parts[0], {})[path] = declared
    for name, chosen in by_folder.items():
        made[pathlib.PurePosixPath(name, "index.md")] = folder_page(name, chosen)
    made[pathlib.PurePosixPath("index.md")] = front_page(by_folder)
    for page, text in made.items():
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return sorted(map(str, made))


if __name__ == "__main__":
    print(f"{len(write(pathlib.Path(sys.argv[1])))} pages")
