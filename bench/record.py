#!/usr/bin/env python3
"""Puts what benchmarks have just written into the file of results that the pages are made of: bench/record.py NAME ...

Each benchmark is a part of bench/results/cpu.json, with the processor, the commit and the day; the part it had before is replaced.
"""

import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results" / "cpu.json"


def main(names):
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().strip()
    parts = {part["bench"]: part for part in json.loads(RESULTS.read_text())["parts"]} if RESULTS.exists() else {}
    for name in names:
        run = json.loads((ROOT / "build" / "bench" / f"{name}.json").read_text())
        parts[name] = {"bench": name, "machine": run["machine"], "commit": commit, "day": time.strftime("%F"), "rows": run["rows"]}
    RESULTS.write_text(json.dumps({"device": "CPU", "parts": [parts[name] for name in sorted(parts)]}, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
