#!/usr/bin/env python3
"""The plan of `./dev gpu`: what a GPU alone can tell, in the order of what it would break, each step bounded in time.

What a step printed is in OUT/STEP.txt and how it ended in OUT/steps.json, from which a later run goes on: a step that passed or
was skipped with the same device, driver and commit is not run again (--again runs all). OUT/index.html shows all of it.
--rehearse runs the plan on the emulator's libcuda, with a sample of the test files and small operands. Exit status: 0 all
passed, 1 some failed, 77 no GPU.

    tests/gpu_plan.py [--rehearse] [--again] [--build FOLDER] [--out FOLDER] [STEP ...]
"""

import argparse
import dataclasses
import html
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

SKIPPED = 77
PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>tg on {device}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }}
summary {{ cursor: pointer }} pre {{ overflow-x: auto; font-size: 12px }}
.passed {{ color: #1a7f37 }} .failed {{ color: #d1242f }} .skipped {{ color: #777 }}
</style>
<h1>tg on {device}</h1>
<p>driver {driver}, commit {commit}: {summary}</p>
{steps}
"""


@dataclasses.dataclass
class Step:
    name: str
    command: list
    seconds: float  # after which it is stopped
    environment: dict = dataclasses.field(default_factory=dict)
    missing: str = ""  # why it is skipped
    may_skip: bool = True  # whether it may end with 77


def said_by(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def make_plan(build, out, is_rehearsal):
    """The steps, in their order."""
    tests, bench = build / "tests", build / "bench"
    python = sys.executable
    emulated = {"LD_LIBRARY_PATH": str((build / "emulated").resolve())} if is_rehearsal else {}
    sample = ["--every", "4"] if is_rehearsal else []

    def floor(name, patterns=""):
        return Step(f"tests of {name}", [python, "tests/on_gpu.py", "--out", str(out / name), *sample,
                                         f"{tests}/test_{name}{patterns}"], 900, emulated, may_skip=not is_rehearsal)

    steps = [floor("runtime"), floor("dsl"), floor("registry"), floor("kernels"), floor("kernels_long"), floor("tile"), floor("array"),
             floor("emulator", ":*/conformance/*,*/decode/decode_*")]
    checked = "*/reduction*,*/softmax*,*/transpose*,*/saxpy*,*/*_norm*,*/rms*"
    steps.append(Step("memory checker", [python, "tests/on_gpu.py", "--wrap", "compute-sanitizer --error-exitcode 1", "--timeout",
                                         "600", "--out", str(out / "sanitized"), f"{tests}/test_runtime",
                                         f"{tests}/test_kernels:{checked}"], 1200,
                      missing="" if shutil.which("compute-sanitizer") and not is_rehearsal else "no compute-sanitizer"))
    rehearse = ["rehearse"] if is_rehearsal else []
    rows = []
    for part in ("moves", "products", "attention", "quantised", "arrays", "launches"):
        rows.append(out / f"bench_{part}.json")
        steps.append(Step(f"benchmark {part}", [str(bench / "bench_gpu"), *rehearse, part], 600,
                          {"TG_BENCH_JSON": str(rows[-1])}))
    has_torch = importlib.util.find_spec("torch") is not None and not is_rehearsal
    for part in list(rows):
        rows.append(out / part.name.replace("bench", "rivals"))
        steps.append(Step(f"rivals of {part.stem.removeprefix('bench_')}", [python, "bench/gpu/rivals.py", str(part), str(rows[-1])],
                          600, missing="" if has_torch else "no PyTorch"))
    rows.append(out / "hypotheses.json")
    steps.append(Step("hypotheses", [str(bench / "bench_hypotheses")], 600, {"TG_BENCH_JSON": str(rows[-1])},
                      missing="they measure a GPU" if is_rehearsal else ""))
    return steps, rows


def run(step, out):
    """Runs a step with all that it starts; what takes too long is stopped."""
    start = time.monotonic()
    if step.missing:
        return {"status": "skipped", "why": step.missing, "seconds": 0.0}
    text = out / f"{step.name.replace(' ', '_')}.txt"
    with open(text, "wb") as file:
        child = subprocess.Popen(step.command, stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
                                 env={**os.environ, **step.environment})
        try:
            code = child.wait(step.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return {"status": "failed", "why": f"stopped after {step.seconds:.0f} s", "seconds": time.monotonic() - start}
    status = "passed" if code == 0 else "skipped" if code == SKIPPED and step.may_skip else "failed"
    return {"status": status, "why": "" if code == 0 else f"exit status {code}", "seconds": time.monotonic() - start}


def write_page(out, known, where):
    parts = []
    for name, one in known["steps"].items():
        text = out / f"{name.replace(' ', '_')}.txt"
        printed = text.read_text(encoding="utf-8", errors="replace")[-20000:] if text.exists() else ""
        parts.append(f'<details><summary><b class="{one["status"]}">{one["status"]}</b> {html.escape(name)}, '
                     f'{one["seconds"]:.0f} s {html.escape(one["why"])}</summary><pre>{html.escape(printed)}</pre></details>')
    (out / "index.html").write_text(PAGE.format(**{k: html.escape(v) for k, v in where.items()}, summary=summary_of(known),
                                                steps="\n".join(parts)), encoding="utf-8")


def summary_of(known):
    each = [one["status"] for one in known["steps"].values()]
    return ", ".join(f"{each.count(status)} {status}" for status in ("passed", "failed", "skipped"))


def follow(steps, out, where, again=False, wanted=()):
    """Runs what is not done yet. Returns how each step ended."""
    out.mkdir(parents=True, exist_ok=True)
    kept = out / "steps.json"
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if again or known.get("where") != where:
        known = {"where": where, "steps": {}}
    for step in steps:
        if wanted and step.name not in wanted:
            continue
        before = known["steps"].get(step.name, {}).get("status")
        if before == "passed" and not wanted:
            print(f"{step.name}: passed before", flush=True)
            continue
        one = known["steps"][step.name] = run(step, out)
        print(f"{step.name}: {one['status']}, {one['seconds']:.0f} s {one['why']}".rstrip(), flush=True)
        kept.write_text(json.dumps(known, indent=1), encoding="utf-8")
        write_page(out, known, where)
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", metavar="STEP")
    parser.add_argument("--rehearse", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/gcc"))
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    gpus = said_by("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    device, _, driver = gpus.partition("\n")[0].partition(", ")
    if options.rehearse:
        device, driver = "the emulator", "tg's own"
    elif not device:
        print("no GPU: skipped")
        return SKIPPED
    out = options.out or pathlib.Path("build/rehearsal" if options.rehearse else "build/gpu")
    where = {"device": device, "driver": driver, "commit": said_by("git", "rev-parse", "HEAD") or "unknown"}
    steps, rows = make_plan(options.build, out, options.rehearse)
    if unknown := [name for name in options.steps if name not in [step.name for step in steps]]:
        print(f"no step is called {unknown[0]!r}; there are: " + ", ".join(step.name for step in steps))
        return 1
    known = follow(steps, out, where, options.again, options.steps)
    print(f"{summary_of(known)}; {out}/index.html shows all")
    if not options.rehearse:
        name = device.lower().replace(" ", "-").replace("/", "-")
        results = pathlib.Path("bench/results") / f"{name}-{time.strftime('%F')}.json"
        joined = subprocess.run([sys.executable, "bench/gpu/results.py", *map(str, rows)], capture_output=True, check=True).stdout
        results.parent.mkdir(exist_ok=True)
        results.write_bytes(joined)
        print(f"results are in {results}")
    return 1 if any(one["status"] == "failed" for one in known["steps"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
