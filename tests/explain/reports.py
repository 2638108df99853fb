#!/usr/bin/env python3
"""Explains every shipped kernel: each page is well-formed, self-contained, below 1 MB and quickly made, and its pictures
have as many rows as their captions and numbers say.

reports.py EXPLAIN [--most-ms N]

N is for a machine on which `loop_ms` is 100; a slower one has more. The quickest of three runs counts.
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import time

VOID = {"meta", "link", "br"}
MOST_BYTES = 1_000_000


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.complaints, self.ids, self.links, self.pictures = [], [], [], [], []

    def handle_startendtag(self, tag, attributes):
        self.element(tag, dict(attributes))

    def handle_starttag(self, tag, attributes):
        self.element(tag, dict(attributes))
        if tag not in VOID:
            self.open.append(tag)

    def element(self, tag, attributes):
        self.ids += [attributes["id"]] if "id" in attributes else []
        for name in ("href", "src"):
            self.links += [attributes[name]] if name in attributes else []
        kinds = attributes.get("class", "").split()
        if "picture" in kinds:
            self.pictures.append([attributes["aria-label"], 0, 0])
        if self.pictures and tag == "rect" and "svg" in self.open:
            self.pictures[-1][1] += "used" in kinds
            self.pictures[-1][2] += "row" in kinds

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.complaints.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")


def complaints_about(text):
    page = Page()
    page.feed(text)
    page.close()
    out = page.complaints + [f"<{tag}> is not closed" for tag in page.open]
    out += [f"id {own} is given twice" for own in set(page.ids) if page.ids.count(own) > 1]
    out += [f"{link} leads out of the page" for link in page.links if not link.startswith(("#", "data:"))]
    out += [f"{link} leads nowhere" for link in page.links if link.startswith("#") and link[1:] not in page.ids]
    for label, used, rows in page.pictures:
        said = int(re.search(r"by (\d+) ", label).group(1))
        drawn = used if "sectors" in label else rows
        out += [f"'{label}' has {drawn} rows"] * (drawn != said)
    costs = re.findall(r'<p>(\d+) (sector|wavefront)s?[^<]*</p>(?:(?!</article>).)*?aria-label="32 \w+ by (\d+) ', text)
    out += [f"{said} {unit}s are said, {drawn} drawn" for said, unit, drawn in costs if said != drawn]
    out += ["no picture was compared"] * (bool(page.pictures) and len(costs) != len(page.pictures))
    return out


def check_itself():
    good = '<p id="a"><a href="#a">x</a></p>'
    assert complaints_about(good) == []
    for bad in ("<p>", "</p>", '<p id="a"></p><p id="a"></p>', '<a href="http://x"></a>', '<a href="#b"></a>',
                '<svg class="picture" aria-label="32 lanes by 2 sectors"><rect class="used"/></svg>'):
        assert complaints_about(bad), bad


def loop_ms():
    """Processor time of a loop that is the same everywhere: what this machine's clock is worth now."""
    start, x = time.process_time(), 0
    for i in range(1_000_000):
        x = (x * 31 + i) & 0xFFFFFFFF
    return 1000 * (time.process_time() - start)


def explain_all(program, folder):
    """The pages that are made, each with its bytes and its milliseconds where the loop takes 100."""
    before = loop_ms()
    ran = subprocess.run([program, "all", "--run"], capture_output=True, text=True, cwd=folder)
    unit = max(before, loop_ms()) / 100
    rows = re.findall(r"wrote (\S+): (\d+) bytes, explained in ([\d.]+) ms", ran.stdout)
    return ran, [(path, int(size), float(ms) / unit) for path, size, ms in rows]


def main():
    check_itself()
    program, *rest = sys.argv[1:]
    most_ms = float(rest[1]) if rest[:1] == ["--most-ms"] else None
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "kernels").symlink_to(pathlib.Path("kernels").absolute())
        (folder / "include").symlink_to(pathlib.Path("include").absolute())
        ran, rows = explain_all(program, folder)
        for _ in range(2):
            if most_ms is None or all(ms <= most_ms for _, _, ms in rows):
                break
            rows = [(path, size, min(ms, again[2])) for (path, size, ms), again in zip(rows, explain_all(program, folder)[1])]
        complaints = [f"explain ends with {ran.returncode}: {ran.stderr}"] * (ran.returncode != 0)
        complaints += ["few reports were written"] * (len(rows) < 10)
        for path, size, ms in rows:
            text = (folder / path).read_text()
            own = complaints_about(text)
            own += [f"{size} bytes"] * (size > MOST_BYTES)
            own += [f"{ms:.0f} ms"] * (most_ms is not None and ms > most_ms)
            own += ["no source"] * ("(the source is not at hand)" in text)
            complaints += [f"{path}: {complaint}" for complaint in own]
    for kernel, said in ((["nothing"], "no kernel is called 'nothing'"), ([], "which kernel?"), (["saxpy", "--target", "x"], "TG174"),
                         (["saxpy", "--target"], "--target wants a value"), (["saxpy", "--what"], "unknown option --what"),
                         (["saxpy", "--out", "/proc/x/y.html"], "cannot write /proc/x/y.html")):
        refused = subprocess.run([program, *kernel], capture_output=True, text=True)
        if refused.returncode != 1 or said not in refused.stderr:
            complaints.append(f"explain {' '.join(kernel)}: {refused.returncode}, {refused.stderr}")
    if rows:
        print(f"{len(rows)} reports, {max(size for _, size, _ in rows)} bytes and {max(ms for _, _, ms in rows):.0f} ms at most")
    print("\n".join(complaints) or "well-formed, self-contained, and true")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
