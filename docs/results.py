#!/usr/bin/env python3
"""A page for each file of bench/results/: every row that a run printed, with the device, the commit and the command. And the tables
of other pages that are made of such rows.

results.py    writes these tables anew

A table stands between `<!-- rows FILE BENCH MEASURE... -->` and `<!-- /rows -->`: FILE without .json, and which measures its columns
show. The name of a row is what is measured and the measure: `softmax registers`. Without a measure the table has each row as it is;
with `only=PATTERN`, a regular expression, those whose name has it. A figure that loses to what it is beside is bold.
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
    patterns = [re.compile(word.removeprefix("only=")) for word in measures if word.startswith("only=")]
    measures = [word for word in measures if not word.startswith("only=")]
    rows = [row for row in part["rows"] if all(pattern.search(row["name"]) for pattern in patterns)]
    if not measures:
        lines = ["| row | ours | unit | beside | | ratio |", "|---|--:|---|---|--:|--:|"]
        for row in rows:
            ours, other = figures(row)
            lines.append(row_line(row["name"], ours, row["unit"], row["other_name"], other, number(row["ratio"])))
        return "\n".join([said, "", *lines, ""])
    found = [(row["name"].removesuffix(f" {measure}"), measure, row)
             for row in rows for measure in measures if row["name"].endswith(f" {measure}")]
    others = {measure: {row["other_name"] for _, own, row in found if own == measure} for measure in measures}
    is_one = all(len(names) <= 1 for names in others.values())  # what a measure is beside stands above its column
    of_what = {}
    for what, measure, row in found:
        of_what.setdefault(what if is_one else f"{what}, beside {row['other_name']}", {})[measure] = row
    heads = (text for measure in measures for text in (measure, others[measure].pop() if is_one and others[measure] else "beside"))
    lines = [row_line("", *heads), "|---|" + "--:|" * (2 * len(measures))]
    for what, cells in of_what.items():
        lines.append(row_line(what, *(text for measure in measures
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
