"""What a user waits for: processor milliseconds of g++ -O0 and template instantiations of clang++ for each umbrella
header and for one translation unit per kernel, beside nvcc for the same kernel as .cu. Each twice: with the library
compiled (`tg::compiled`), and with all of it in headers. Medians of several runs."""

import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from report import Report

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUDGET_MS = {"tg/analysis.hpp": 80, "tg/dsl.hpp": 250, "tg/tg.hpp": 900}
WAYS = {"compiled": ["-DTG_COMPILED"], "headers": []}
KERNELS = {  # header: kernel that it holds and nvcc gets
    "saxpy": "saxpy",
    "transpose": "transpose_swizzled",
    "reduction": "sum",
    "softmax": "softmax",
    "blur_sobel": "blur_sobel<3, std::uint8_t>",
}


def children_ms():
    """Processor time, which other work on the machine does not lengthen, of all compilers so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def median_ms(command, runs=3):
    times = []
    for _ in range(runs):
        start = children_ms()
        subprocess.run(command, check=True, cwd=ROOT)
        times.append(children_ms() - start)
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

        def measure(name, text, other, other_name):
            unit.write_text(text, encoding="utf-8")
            for way, options in WAYS.items():
                report.add(f"{name}, {way}", median_ms([*gcc, *options]) - empty, other, other_name, "ms")
                count = instantiations([*clang, *options], folder)
                report.add(f"{name}, {way}, instantiations", count, 0, "none", "count")

        for header, budget in BUDGET_MS.items():
            measure(header, f"#include <{header}>\n", budget, "budget")
        for header, kernel in KERNELS.items():
            text = f"std::string text() {{ return tg::to_ptx(tg::kernels::{kernel}); }}\n"
            source = f"bench/cuda/{kernel.split('<')[0]}.cu"
            other = median_ms([nvcc, "-std=c++17", "-ptx", "-o", os.devnull, source]) if nvcc else 0
            measure(f"kernels/{header}.hpp", f"#include <kernels/{header}.hpp>\n{text}", other, f"nvcc -ptx {source}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
