#!/usr/bin/env python3
"""Random accesses to matrices whose base and pitch are unknown: what is said to be the most sectors of each warp is never less
than a trial of bases and pitches finds, and where the rows said are not those of the access, it is less. The seed is printed;
TG_TEST_SEED repeats it."""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
FORMS = 70

PROGRAM = """#include <cstdio>

#include "moved_rows.hpp"

using namespace lane_by_lane;

int main() {{
  tried_warps all;
{forms}
  using x = at<'x', 128>;
  const tried_warps planted =
      try_sectors<over<x, num<16>>, mul<modulo<x, num<16>>, num<8>>, 1, 8, 1, 2, 2, over<x, num<32>>>();
  std::printf("%d %d %d\\n", all.all, all.low, planted.low);
}}
"""


def form(numbers):
    """One access, as arguments of `try_sectors`; None where its vectors would not be aligned."""
    width, height = numbers.choice([(128, 1), (32, 4), (64, 2), (96, 1), (16, 8), (48, 2), (32, 8), (8, 16)])
    x, y = f"at<'x', {width}, {height}>", f"at<'y', {width}, {height}>"
    run = numbers.choice([2, 4, 8, 16, 32])
    quotient = f"over<{x}, num<{run}>>"
    rows = [quotient, f"mul<{quotient}, num<{numbers.choice([2, 3, 5])}>>"]
    element = numbers.choice([2, 4])
    access = numbers.choice([element, 2 * element, 16])
    step = access // element
    runs = f"mul<modulo<{x}, num<{run}>>, num<{step}>>"
    columns = [runs, x, f"mul<{x}, num<{step}>>", f"add<{runs}, num<{numbers.choice([0, 1, 3, 8]) * step}>>"]
    if height > 1:
        rows += [y, f"add<{quotient}, mul<{y}, num<{numbers.choice([1, 2, 4, 7])}>>>"]
        columns += 4 * [f"add<{runs}, mul<{y}, num<{numbers.choice([1, 2, 3, 4, 5, 8]) * step}>>>"]
    row, pitch, base = numbers.choice([1, 2, 8, 32]), numbers.choice([1, 4, 8, 16, 32]), numbers.choice([1, 4, 8, 16, 64])
    if access > element and (pitch % step or base % step):
        return None
    return f"{numbers.choice(rows)}, {numbers.choice(columns)}, {row}, {pitch}, {base}, {element}, {access}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", nargs="+", default=["g++"])
    compiler = parser.parse_args().compiler
    seed = int(os.environ.get("TG_TEST_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"random numbers: TG_TEST_SEED={seed} repeats them")
    numbers = random.Random(seed)
    forms = []
    while len(forms) < FORMS:
        if one := form(numbers):
            forms.append(f"  all += try_sectors<{one}>();")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "rows.cpp", pathlib.Path(folder) / "rows"
        source.write_text(PROGRAM.format(forms="\n".join(forms)))
        here = ROOT / "tests" / "dsl" / "index"
        subprocess.run([*compiler, "-std=c++20", "-O1", f"-I{ROOT / 'include'}", f"-I{here}", source, "-o", program], check=True)
        warps, low, planted = map(int, subprocess.run([program], capture_output=True, text=True, check=True).stdout.split())
    print(f"{FORMS} accesses, {warps} warps: too low for {low}; of a planted one for {planted}")
    return low != 0 or planted == 0


if __name__ == "__main__":
    sys.exit(main())
