#!/usr/bin/env python3
"""What the pages keep to: links and anchors, languages of blocks, notes of C++ blocks, error codes, lengths, comments of public names,
tables of results.

check.py    checks the project; prints a line for each complaint
"""

import os
import pathlib
import re
import sys

import cookbook
import declarations
import error_pages
import markdown
import reference
import results

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOST_README_LINES = 150
LEAST_COVERAGE = {  # percent of the public names of a folder; `all` of the flat names tg::word
    "words": 100.0,
    "all": 100.0,
}
NOTES = re.compile(r"(file|body|prints|not compiled: .+|from \S+|fails TG\d{3}( file)?)$")


def documents(root=ROOT):
    """Every Markdown file that a reader gets, and its text."""
    paths = [root / "README.md", root / "CONTRIBUTING.md", root / "docs" / "README.md", *sorted((root / "docs" / "pages").rglob("*.md"))]
    return {path: path.read_text() for path in paths if path.exists()}


def made_pages(root=ROOT):
    """Pages that are made when the site is built, and their anchors (None: not known)."""
    pages = root / "docs" / "pages"
    out = {pages / "cookbook" / f"{path.stem}.md": None for path in cookbook.programs(root)}
    out[pages / "cookbook" / "index.md"] = None
    out |= {pages / "benchmarks" / name: None for name in results.names(root)}
    include = root / "include"
    if include.exists():
        out |= {pages / "reference" / page: None for page in reference.pages(include)}
        out |= {pages / "reference" / reference.page_of(path, include): reference.anchors(path, include)
                for path in reference.public_headers(include)}
    if not (pages / "index.md").exists():
        out[pages / "index.md"] = None
    return out


def link_complaints(read, made, root):
    """`read`: Markdown pages by their paths."""
    out = []
    known = {path: markdown.anchors(page) for path, page in read.items()}
    for path, page in read.items():
        for line, link in markdown.links(page):
            target, _, anchor = link.partition("#")
            place = pathlib.Path(os.path.normpath(path.parent / target)) if target else path
            where = f"{path.relative_to(root)}:{line}"
            if place not in made and not place.exists():
                out.append(f"{where}: there is no {link}")
            elif anchor:
                anchors = known[place] if place in known else made.get(place)
                if place.suffix == ".md" and place not in known and place not in made:
                    anchors = markdown.anchors(markdown.read(place, place.read_text()))
                if anchors is not None and anchor not in anchors:
                    out.append(f"{where}: {target or 'this page'} has no #{anchor}")
    return out


def block_complaints(page, root):
    out = []
    for block in page.blocks:
        where = f"{pathlib.Path(page.path).relative_to(root)}:{block.line}"
        if not block.language:
            out.append(f"{where}: the block does not say its language")
        for note in block.notes:
            first = note.split("\n")[0]
            if not NOTES.match(note) and first not in ("preamble", "setup") and not re.match(r"/?\w+$", note):
                out.append(f"{where}: no block is '{first}'")
        kinds = [note for note in block.notes if NOTES.match(note)]
        if block.language.split()[:1] == ["cpp"] and not kinds and "int main" not in block.text:
            out.append(f"{where}: a comment must say what this C++ is (docs/README.md)")
        for note in kinds:
            if note.startswith("from "):
                source = root / note.removeprefix("from ")
                if not source.exists() or block.text not in source.read_text():
                    out.append(f"{where}: {note.removeprefix('from ')} does not have this text")
    return out


def error_numbers(root):
    """The numbers of the tables in the headers."""
    found = []
    for path in sorted((root / "include/tg").rglob("codes.hpp")):
        found += [int(number) for number in re.findall(r"\{\s*(\d{3})\s*,\s*\"", path.read_text())]
    return found


def code_complaints(numbers, text):
    rows = set(re.findall(r"^\| TG(\d{3}) \|", text, re.MULTILINE))
    return [f"docs/pages/errors.md has no row of TG{number}" for number in numbers if str(number) not in rows]


def line_complaints(path, page):
    """Prose of pages is short lines; tables, links and pictures may be long."""
    return [f"{path}:{number}: {len(line)} columns" for number, line in page.prose
            if len(line) > 140 and not line.lstrip().startswith(("|", "!["))]


def coverage_of(counts, missing):
    """Percent of public names with a comment: of all, and of words, which stand in namespace tg itself."""
    have, total = (sum(column) for column in zip(*counts.values()))
    return 100 * have / total


def words_missing(missing):
    return [(path, line, name) for path, line, name in missing if name.count("::") == 1]


def coverage_complaints(root=ROOT, least=None):
    least = least or LEAST_COVERAGE
    counts, missing = declarations.coverage(root / "include")
    reached = coverage_of(counts, missing)
    print(f"{reached:.1f} % of the public names have a comment, {len(words_missing(missing))} words have none")
    out = []
    if reached < least["all"]:
        out.append(f"{reached:.1f} % of the public names have a comment, less than {least['all']} %")
    if least["words"] == 100.0:
        out += [f"{path.relative_to(root)}:{line}: {name} has no comment" for path, line, name in words_missing(missing)]
    return out


def complaints(root=ROOT):
    texts = documents(root)
    read = {path: markdown.read(path, text) for path, text in texts.items()}
    out = link_complaints(read, made_pages(root), root)
    for path, page in read.items():
        out += block_complaints(page, root) + line_complaints(path.relative_to(root), page)
    names = [path.name for path in cookbook.programs(root)]
    out += [f"two recipes are called {name}" for name in sorted({name for name in names if names.count(name) > 1})]
    lines = texts[root / "README.md"].count("\n")
    if lines > MOST_README_LINES:
        out.append(f"README.md has {lines} lines, more than {MOST_README_LINES}")
    out += code_complaints(error_numbers(root), texts.get(root / "docs/pages/errors.md", ""))
    return out + results.complaints(texts, root)


def main():
    found = complaints() + coverage_complaints()
    found += [f"docs/pages/errors.md: no program of the tests provokes {code} (docs/error_pages.py)"
              for code in error_pages.without_page((ROOT / "docs/pages/errors.md").read_text())]
    print("\n".join(found) or "links, blocks, codes and comments are as they should be")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
