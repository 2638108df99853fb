#!/usr/bin/env python3
"""Asks ptxas whether it assembles the PTX texts in a folder, for the oldest GPU that each is meant for.

With --every-target it asks for all GPUs that each is meant for, with --every FOLDER so for the texts of this folder. With
--one-in N it asks for a random share of the texts in the other folders.

A text that ptxas refuses on purpose says so in a line `// ptxas refuses this: why`; then it must be refused.
Exit status: 0 when ptxas agrees with all of them, 77 where there is no ptxas.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from share import share_of

TARGETS = (75, 80, 89, 90, 100, 120)
REFUSED = "// ptxas refuses this: "
TOGETHER = 50  # texts for one run of ptxas
FUNCTION = re.compile(r"(?:\.entry\s+|\.func\s+(?:\([^)]*\)\s*)?)([A-Za-z_$%][\w$]*)")
VARIABLE = re.compile(r"^\s*(?:\.(?:extern|visible|weak|common)\s+)*\.(?:global|const|shared|tex)\b[^;={(]*?\.[bsuf]\d+(?:x2)?\s+"
                      r"([A-Za-z_$%][\w$]*)", re.MULTILINE)
SOURCE_FILE = re.compile(r"(^\s*\.(?:file|loc)\s+|inlined_at\s+)(\d+)", re.MULTILINE)


def find_ptxas():
    named = os.environ.get("TG_PTXAS")
    return named if named is not None else shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")


def targets_of(text):
    """The GPUs that a text is for, from its own on; just its own where it asks for one GPU's features."""
    found = re.search(r"^\s*\.target\s+(?:sm|compute)_(\d+)([af]?)", text, re.MULTILINE)
    if found is None:
        return []
    if found[2]:
        return [f"sm_{found[1]}{found[2]}"]
    return [f"sm_{sm}" for sm in TARGETS if sm >= int(found[1])]


def run(ptxas, target, paths):
    return subprocess.run([ptxas, "-O0", "-c", f"-arch={target}", *paths, "-o", "/dev/null"], capture_output=True, text=True)


def with_own_names(text, number):
    """The text with a number in the names of its functions, variables and files, so that texts can be assembled together."""
    text = SOURCE_FILE.sub(lambda found: f"{found[1]}{100 * number + int(found[2])}", text)
    names = sorted({*FUNCTION.findall(text), *VARIABLE.findall(text)}, key=len, reverse=True)
    if not names:
        return text
    return re.sub(r"(?<![\w$%.])(" + "|".join(map(re.escape, names)) + r")(?![\w$])", rf"\1_{number}", text)


def refused_of(ptxas, target, paths, own):
    """Those of the texts that ptxas may refuse. It starts once for many that it accepts, and names only one that it does not."""
    if len(paths) > 1 and run(ptxas, target, [own[path] for path in paths]).returncode == 0:
        return []
    if len(paths) == 1:
        return paths
    middle = len(paths) // 2
    return refused_of(ptxas, target, paths[:middle], own) + refused_of(ptxas, target, paths[middle:], own)


def complaint(ptxas, path, target, refused):
    ran = run(ptxas, target, [path])
    if (ran.returncode != 0) == refused:
        return None
    log = [line for line in (ran.stdout + ran.stderr).splitlines() if "error" in line or "fatal" in line]
    return f"{path} for {target}: " + ("\n    ".join(log[:3]) if ran.returncode != 0 else "ptxas accepts what it should refuse")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--every", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--every-target", action="store_true")
    parser.add_argument("--one-in", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    ptxas = find_ptxas()
    if not ptxas:
        print("ptxas is not there: no text is assembled")
        return 77
    texts = {}
    for folder in options.folders + options.every:
        found = sorted(folder.rglob("*.ptx"))
        if not found:
            print(f"no text in {folder}")
            return 1
        chosen = found if folder in options.every else share_of(found, options.one_in, f"texts of {folder.name}")
        texts.update((path, path.read_text()) for path in chosen)
    targets = {path: targets_of(text) for path, text in texts.items()}
    if not options.every_target:
        for path, all in targets.items():
            if not any(path.is_relative_to(folder) for folder in options.every):
                targets[path] = all[:1]
    jobs = [(path, target, REFUSED in texts[path]) for path, all in targets.items() for target in all]
    silent = [path for path, all in targets.items() if not all]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, tempfile.TemporaryDirectory() as folder:
        own = {}
        for number, (path, text) in enumerate(texts.items()):
            own[path] = pathlib.Path(folder, f"{number}.ptx")
            own[path].write_text(with_own_names(text, number))
        groups = []
        for target in sorted({target for _, target, _ in jobs}):
            paths = [path for path, of_job, refused in jobs if of_job == target and not refused]
            groups += [(target, paths[n : n + TOGETHER]) for n in range(0, len(paths), TOGETHER)]
        alone = [job for job in jobs if job[2]]
        for (target, _), left in zip(groups, pool.map(lambda group: refused_of(ptxas, *group, own), groups)):
            alone += [(path, target, False) for path in left]
        said = list(pool.map(lambda job: complaint(ptxas, *job), alone))
    complaints = [c for c in said if c] + [f"{path} is for no GPU on the list" for path in silent]
    for c in complaints:
        print(c)
    refused = sum(REFUSED in text for text in texts.values())
    print(f"{len(texts)} texts, {refused} of them refused on purpose, assembled {len(jobs)} times: {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
