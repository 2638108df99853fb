"""A page for each file of bench/results/: every row that a run printed, with the device, the driver, the commit and the command."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"


def names(root=ROOT):
    """`nvidia-h100-....md`"""
    return [f"{path.stem}.md" for path in sorted((root / "bench" / "results").glob("*.json"))]


def number(x):
    return "" if x is None else f"{x:.3g}"


def page(run):
    lines = [f"# {run['device']}, all rows", "",
             f"`./dev gpu`, driver {run['driver']}, commit `{run['commit'][:12]}`. One run. The ratio is ours by the other's: below 1 we are "
             "better where less is better.", ""]
    for part in run["parts"]:
        lines += [f"## {part['bench']}", "", f"Host: {part['machine']}.", "", "| row | ours | unit | beside | | ratio |", "|---|--:|---|---|--:|--:|"]
        for row in part["rows"]:
            cells = [row["name"], number(row["ours"]), row["unit"], row["other_name"], number(row["other"]), number(row["ratio"])]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines + ["[Benchmarks](../benchmarks.md)", ""])


def pages():
    """The text of each, by its name."""
    return {f"{path.stem}.md": page(json.loads(path.read_text())) for path in sorted(RESULTS.glob("*.json"))}
