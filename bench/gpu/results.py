#!/usr/bin/env python3
"""Joins what benchmarks wrote on a GPU, with the device, its driver and the commit: bench/gpu/results.py FILE.json ..."""

import json
import os
import subprocess
import sys


def said_by(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]
    except (OSError, IndexError, subprocess.CalledProcessError):
        return "unknown"


def main():
    parts = []
    for name in sys.argv[1:]:
        if os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                parts.append(json.load(file))
    device, _, driver = said_by("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").partition(", ")
    commit = os.environ.get("TG_COMMIT") or said_by("git", "rev-parse", "HEAD")
    json.dump({"device": device, "driver": driver, "commit": commit, "parts": parts}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
