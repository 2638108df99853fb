"""What a user waits for: processor milliseconds of g++ and clang++ and template instantiations of clang++ for each umbrella
header, for one translation unit per kernel and for the first example, a program with its launch, beside nvcc for the same kernel
as .cu; saxpy with a precompiled header too. Medians of several runs. Then what a program compiles once: the library, with the
emulator and without, and the library together with saxpy in one source file; and the memory that the compiler needs for them.
The instantiations, which no other work on the machine changes, have budgets; `--gate [part of a name]...` counts them alone and
fails where one is exceeded."""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import typing

from report import Report

ROOT = pathlib.Path(__file__).resolve().parent.parent
WAYS = (("g++", "-O0"), ("g++", "-O2"), ("clang++", "-O0"))
FLAGS = ["-std=c++20", "-Iinclude", "-I."]


class Unit(typing.NamedTuple):
    """A translation unit."""

    name: str
    text: str
    most_instantiations: int  # what was counted, and a tenth for growth
    budget_ms: int = 0  # 0: none
    cuda: str = ""  # the file of the same kernel in CUDA C++


def umbrella(header, most_instantiations, budget_ms):
    return Unit(header, f"#include <{header}>\n", most_instantiations, budget_ms)


def lowering(header, kernel, most_instantiations, cuda, before=""):
    text = f"#include <kernels/{header}.hpp>\n{before}tg::detail::recordable of_kernel() {{ return tg::detail::to_recordable(tg::kernels::{kernel}); }}\n"
    return Unit(f"kernels/{header}.hpp", text, most_instantiations, cuda=f"bench/cuda/{cuda}.cu")


PROGRAM = "examples/saxpy.cpp"  # a program with its launch, as a user compiles it again and again
PRECOMPILED = ("tg/dsl.hpp", "tg/tg.hpp")  # headers that tg_precompile compiles

# An epilogue that reads C, as BLAS has it.
SCALED = "constexpr auto scaled = [](auto sum, const auto& at, auto alpha, auto beta) { return alpha * sum + beta * at.old(); };\n"
CAUSAL = "tg::kernels::attention_options{.causal = true}"
ASSIGNMENTS = """#include <tg/array.hpp>
void assign(tg::array<float, 2>& y, const tg::array<float, 2>& x, const tg::array<float, 1>& w, float s) {
  y = x * w + s;
  y = tg::softmax<1>(x) * w;
  y = (x - tg::mean<1>(x, tg::keep)) * tg::rsqrt(tg::variance<1>(x, tg::keep) + 1e-5f) * w;
  y = tg::where(x > 0.0f, tg::gelu(x * w), x);
}
"""
UNITS = (
    umbrella("tg/analysis.hpp", 115, 80),
    umbrella("tg/dsl.hpp", 315, 200),
    umbrella("tg/tg.hpp", 9150, 900),
    umbrella("tg/array.hpp", 6610, 800),
    Unit("tg/array.hpp and four assignments", ASSIGNMENTS, 8135, 1400),
    Unit(PROGRAM, f"#include <{PROGRAM}>\n", 8810, cuda="bench/cuda/saxpy.cu"),
    lowering("saxpy", "saxpy", 610, "saxpy"),
    lowering("transpose", "transpose_swizzled", 1815, "transpose_swizzled"),
    lowering("reduction", "sum", 1255, "sum"),
    lowering("softmax", "softmax", 1295, "softmax"),
    lowering("blur_sobel", "blur_sobel<3, std::uint8_t>", 4155, "blur_sobel"),
    lowering("q4k_matvec", "q4k_matvec", 3600, "q4k_matvec"),
    lowering(
        "sgemm",
        "sgemm<128, 128, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(scaled)",
        3555,
        "sgemm",
        SCALED,
    ),
    lowering("attention", "attention<tg::bf16, 128, true>", 8270, "attention"),
    lowering("attention_tiles", f"attention_tiles<tg::bf16, 128, {CAUSAL}>", 6610, "attention"),
    lowering("gemm", "gemm<tg::bf16>([](const auto& sum, const auto&) { return sum; })", 4730, "gemm_bf16"),
)

# Source files of which a program has one.
ONCE = (("tg/library.hpp", "-O2"), ("tg/library.hpp", "-O0"), ("tg/gpu_library.hpp", "-O2"), ("tg/array_library.hpp", "-O2"))


def spent(command):
    """Milliseconds of processor time, which other work on the machine does not lengthen, and the most megabytes of memory."""
    process = subprocess.Popen(command, cwd=ROOT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return (used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1024


def median_ms(command, runs=3):
    return statistics.median(spent(command)[0] for _ in range(runs))


def compile_with(compiler, level, source, out=None):
    return [compiler, level, *FLAGS, "-c", source, "-o", (out or source).with_suffix(".o")]


def measure_once(report, source, empty, nvcc_ms):
    """Rows for what a program compiles once, beside nvcc for one small kernel, and for memory."""
    saxpy = next(unit for unit in UNITS if unit.name == "kernels/saxpy.hpp")
    beside = f"nvcc -ptx {saxpy.cuda}"
    for header, level in ONCE:
        source.write_text(f"#include <{header}>\n", encoding="utf-8")
        ms, megabytes = spent(compile_with("g++", level, source))
        report.add(f"{header} once, {level}", ms - empty, nvcc_ms, beside, "ms")
        report.add(f"{header} once, {level}, memory", megabytes, 0, "none", "MB")
    for level in ("-O0", "-O2"):
        report.add(f"{PROGRAM}, {level}, memory", spent(compile_with("g++", level, ROOT / PROGRAM, source))[1], 400, "budget", "MB")
    source.write_text(saxpy.text + "#include <tg/gpu_library.hpp>\n", encoding="utf-8")
    ms, megabytes = spent(compile_with("g++", "-O0", source))
    report.add(f"{saxpy.name} and the library in one file", ms - empty, nvcc_ms, beside, "ms")
    report.add(f"{saxpy.name} and the library in one file, memory", megabytes, 0, "none", "MB")


def instantiations(unit, folder):
    """Classes and functions that clang++ instantiates, from its time trace."""
    source = pathlib.Path(folder) / "traced.cpp"
    source.write_text(unit.text, encoding="utf-8")
    out = source.with_suffix(".o")
    trace = ["-c", "-ftime-trace", "-ftime-trace-granularity=0"]
    subprocess.run(["clang++", *FLAGS, *trace, source, "-o", out], check=True, cwd=ROOT)
    # A process of its own reads the trace: compilers that start later count what memory this one has had as theirs.
    found = ["grep", "-o", "-E", '"name": *"Instantiate(Class|Function)"', out.with_suffix(".json")]
    return subprocess.run(found, cwd=ROOT, capture_output=True, check=False).stdout.count(b"\n")


def precompiled_ms(unit, precompiled, folder):
    """A unit whose header is precompiled, as tg_precompile of CMake does."""
    header = pathlib.Path(folder) / "precompiled.hpp"
    header.write_text(f"#include <{precompiled}>\n", encoding="utf-8")
    subprocess.run(["g++", *FLAGS, "-x", "c++-header", header, "-o", f"{header}.gch"], check=True, cwd=ROOT)
    source = pathlib.Path(folder) / "unit.cpp"
    source.write_text(unit.text, encoding="utf-8")
    return median_ms(["g++", *FLAGS, "-include", header, "-c", source, "-o", source.with_suffix(".o")])


def gate(units):
    """Prints a line for each unit. Returns: how many need more instantiations than their budgets."""
    too_many = 0
    with tempfile.TemporaryDirectory() as folder:
        for unit in units:
            count = instantiations(unit, folder)
            verdict = "too many" if count > unit.most_instantiations else "ok"
            too_many += count > unit.most_instantiations
            print(f"{unit.name}: {count} template instantiations, at most {unit.most_instantiations}: {verdict}", flush=True)
    return too_many


def measure(units):
    """The whole benchmark. Returns what the program should exit with."""
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc:
        print("no nvcc: its column is 0")
    report = Report("compile_time", "g++, clang++")
    nvcc_of = {}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "unit.cpp"
        source.write_text("", encoding="utf-8")
        empty = {way: median_ms(compile_with(*way, source)) for way in WAYS}
        for unit in units:
            theirs = 0
            if unit.cuda and nvcc:
                theirs = nvcc_of[unit.name] = median_ms([nvcc, "-std=c++17", "-ptx", "-o", os.devnull, unit.cuda])
            source.write_text(unit.text, encoding="utf-8")
            for way in WAYS:
                ours = median_ms(compile_with(*way, source)) - empty[way]
                if unit.cuda:
                    report.add(f"{unit.name}, {' '.join(way)}", ours, theirs, f"nvcc -ptx {unit.cuda}", "ms")
                elif way == WAYS[0]:
                    report.add(f"{unit.name}, {' '.join(way)}", ours, unit.budget_ms, "budget", "ms")
            count = instantiations(unit, folder)
            report.add(f"{unit.name}, instantiations", count, unit.most_instantiations, "budget", "count")
            if unit.name == "kernels/saxpy.hpp":
                for header in PRECOMPILED:
                    ours = precompiled_ms(unit, header, folder) - empty[WAYS[0]]
                    report.add(f"{unit.name}, precompiled {header}", ours, theirs, f"nvcc -ptx {unit.cuda}", "ms")
        measure_once(report, source, empty[WAYS[0]], nvcc_of.get("kernels/saxpy.hpp", 0))
    return report.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gate", nargs="*", metavar="PART", help="only the budgets of units whose names hold a PART")
    parts = parser.parse_args().gate
    if parts is None:
        return measure(UNITS)
    units = [unit for unit in UNITS if not parts or any(part in unit.name for part in parts)]
    if not units:
        parser.error("no unit has such a name: " + ", ".join(unit.name for unit in UNITS))
    return 1 if gate(units) else 0


if __name__ == "__main__":
    sys.exit(main())
