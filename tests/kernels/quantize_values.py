"""Writes tests/kernels/quantize_values.txt: random numbers and the blocks that the `gguf` package makes of them.

    python3 -m venv v && v/bin/pip install gguf && v/bin/python tests/kernels/quantize_values.py

A block is three lines: its format, the bits of its numbers as floats, and its bytes, in hexadecimal.
"""

import pathlib

import numpy
from gguf import GGMLQuantizationType
from gguf.quants import quantize


def main():
    random = numpy.random.default_rng(2026)
    numbers = random.normal(0, 1, (6, 32)).astype(numpy.float32)
    numbers[1] *= 1e-3
    numbers[2] = numpy.arange(32) - 15.5  # halves: the rounding of quants that lie between two numbers
    numbers[2, 31] = 127
    numbers[3, 5], numbers[3, 20] = -4.5, 4.5  # two of the largest magnitude
    numbers[4, 5], numbers[4, 20] = 4.5, -4.5
    numbers[5] = 0
    lines = []
    for name in ["Q4_0", "Q8_0"]:
        for own, block in zip(numbers, quantize(numbers, GGMLQuantizationType[name])):
            lines += [name.lower(), " ".join(f"{bits:08x}" for bits in own.view("<u4")), block.tobytes().hex()]
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")


main()
