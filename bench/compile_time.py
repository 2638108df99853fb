"""What a user waits for: milliseconds of g++ -O0 and template instantiations of clang++ for each umbrella header and for
one translation unit per kernel, beside nvcc for the same kernel as .cu. Medians of several runs."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from report import Report

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUDGET_MS = {"tg/analysis.hpp": 80, "tg/dsl.hpp": 250, "tg/tg.hpp": 900}
KERNELS = {  # header: kernel that it holds and nvcc gets
    "saxpy": "saxpy",
    "transpose": "transpose_swizzled",
    "reduction": "sum",
    "softmax": "softmax",
    "blur_sobel": "blur_sobel<3, std::uint8_t>",
}


def median_ms(command, runs=5):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, cwd=ROOT)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def instantiations(command, folder):
    """Classes and functions that clang++ instantiates, from its time trace."""
    out = pathlib.Path(folder) / "unit.o"
    subprocess.run([*command, "-c", "-ftime-trace", "-ftime-trace-granularity=0", "-o", out], check=True, cwd=ROOT)
    events = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))["traceEvents"]
    return sum(event["name"] in ("InstantiateClass", "InstantiateFunction") for event in events)


def main():
    flags = ["-std=c++20", "-Iinclude", "-I."]
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc:
        print("no nvcc: its column is 0")
    report = Report("compile_time", "g++ -O0, clang++")
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "unit.cpp"
        gcc = ["g++", *flags, "-c", unit, "-o", pathlib.Path(folder) / "gcc.o"]
        clang = ["clang++", *flags, unit]

        unit.write_text("", encoding="utf-8")
        empty = median_ms(gcc)
        for header, budget in BUDGET_MS.items():
            unit.write_text(f"#include <{header}>\n", encoding="utf-8")
            report.add(header, median_ms(gcc) - empty, budget, "budget", "ms")
            report.add(f"{header} instantiations", instantiations(clang, folder), 0, "none", "count")
        for header, kernel in KERNELS.items():
            unit.write_text(
                f"#include <kernels/{header}.hpp>\nstd::string text() {{ return tg::to_ptx(tg::kernels::{kernel}); }}\n",
                encoding="utf-8",
            )
            source = f"bench/cuda/{kernel.split('<')[0]}.cu"
            other = median_ms([nvcc, "-std=c++17", "-ptx", "-o", os.devnull, source]) if nvcc else 0
            report.add(f"kernels/{header}.hpp", median_ms(gcc) - empty, other, f"nvcc -ptx {source}", "ms")
            report.add(f"kernels/{header}.hpp instantiations", instantiations(clang, folder), 0, "none", "count")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
