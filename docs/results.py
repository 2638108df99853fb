#!/usr/bin/env python3
"""A page for each file of bench/results/: every row that a run printed, with the device, the commit and the command. And the tables
of other pages that are made of such rows.

results.py    writes these tables anew

A table stands between `<!-- rows FILE BENCH METRIC... -->` and `<!-- /rows -->`: FILE without .json, and which measures its columns
show. The name of a row is what is measured and the measure: `softmax registers`. Without a measure the table has each row as it is.
A figure that loses to what it is beside is bold.
"""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
TABLE = re.compile(r"<!-- rows (\S+) (\S+)((?: \S+)*) -->\n(.*?)<!-- /rows -->", re.DOTALL)


def names(root=ROOT):
    """`nvidia-h100-....md`"""
    return [f"{path.stem}.md" for path in sorted((root / "bench" / "results").glob("*.json"))]


def number(x):
    if x is None:
        return ""
    return f"{x:.0f}" if 1000 <= abs(x) < 1e6 else f"{x:.3g}"


def cell(text):
    return str(text).replace("|", "\\|")


def row_line(*cells):
    return "| " + " | ".join(map(cell, cells)) + " |"


def page(run):
    if "driver" in run:
        source = f"`./dev gpu`, driver {run['driver']}, commit `{run['commit'][:12]}`."
    else:
        source = "`./dev bench record NAME` for each part."
    lines = [f"# {run['device']}, all rows", "",
             f"{source} One run. The ratio is ours by the other's: below 1 we are better where less is better.", ""]
    for part in run["parts"]:
        of_part = f" Commit `{part['commit'][:12]}`, {part['day']}." if "commit" in part else ""
        lines += [f"## {part['bench']}", "", f"Host: {part['machine']}.{of_part}", "", "| row | ours | unit | beside | | ratio |",
                  "|---|--:|---|---|--:|--:|"]
        lines += [row_line(row["name"], number(row["ours"]), row["unit"], row["other_name"], number(row["other"]), number(row["ratio"]))
                  for row in part["rows"]]
        lines.append("")
    return "\n".join(lines + ["[Benchmarks](../benchmarks.md)", ""])


def pages():
    """The text of each, by its name."""
    return {f"{path.stem}.md": page(json.loads(path.read_text())) for path in sorted(RESULTS.glob("*.json"))}


def figures(row):
    """Ours and the other's, ours bold where it loses by more than half a percent."""
    loses = row["other"] and (row["ratio"] > 1.005 if row["better"] == "lower" else row["ratio"] < 0.995)
    ours = number(row["ours"])
    return f"**{ours}**" if loses else ours, number(row["other"])


def table(root, file, bench, measures):
    """The lines between the markers."""
    run = json.loads((root / "bench" / "results" / f"{file}.json").read_text())
    part = next(part for part in run["parts"] if part["bench"] == bench)
    said = f"`./dev bench {bench}`, {part['machine']}, commit `{part['commit'][:12]}`, {part['day']}:"
    if not measures:
        lines = ["| row | ours | unit | beside | | ratio |", "|---|--:|---|---|--:|--:|"]
        for row in part["rows"]:
            ours, other = figures(row)
            lines.append(row_line(row["name"], ours, row["unit"], row["other_name"], other, number(row["ratio"])))
        return "\n".join([said, "", *lines, ""])
    of_what = {}
    for row in part["rows"]:
        for measure in measures:
            if row["name"].endswith(f" {measure}"):
                of_what.setdefault((row["name"].removesuffix(f" {measure}"), row["other_name"]), {})[measure] = row
    others = {other for _, other in of_what}
    beside = others.pop() if len(others) == 1 else ""
    lines = [row_line("", *(text for measure in measures for text in (measure, beside or "beside"))),
             "|---|" + "--:|" * (2 * len(measures))]
    for (what, other), cells in of_what.items():
        name = what if beside else f"{what}, beside {other}"
        lines.append(row_line(name, *(text for measure in measures
                                      for text in (figures(cells[measure]) if measure in cells else ("", "")))))
    return "\n".join([said, "", *lines, ""])


def with_tables(text, root=ROOT):
    """A page with its tables made anew."""
    def made(match):
        file, bench, measures, _ = match.groups()
        return f"<!-- rows {file} {bench}{measures} -->\n{table(root, file, bench, measures.split())}\n<!-- /rows -->"
    return TABLE.sub(made, text)


def complaints(read, root):
    """Tables that are not what the files of results say. `read`: texts of pages by their paths."""
    return [f"{path.relative_to(root)}: a table is not what bench/results says; run docs/results.py"
            for path, text in read.items() if "<!-- rows " in text and with_tables(text, root) != text]


if __name__ == "__main__":
    for each in sorted((ROOT / "docs" / "pages").rglob("*.md")):
        old = each.read_text()
        if (new := with_tables(old)) != old:
            each.write_text(new)
