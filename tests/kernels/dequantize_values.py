"""Writes tests/kernels/dequantize_values.txt: random blocks of quantised weights and what the `gguf` package says they are.

    python3 -m venv v && v/bin/pip install gguf && v/bin/python tests/kernels/dequantize_values.py

A block is three lines: its format, its bytes, and the bits of its weights as floats, in hexadecimal.
"""

import pathlib

import numpy
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType
from gguf.quants import dequantize

# Where each format has its f16 numbers.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}


def main():
    random = numpy.random.default_rng(2026)
    lines = []
    for name, places in HALVES.items():
        kind = GGMLQuantizationType[name]
        values, size = GGML_QUANT_SIZES[kind]
        data = random.integers(0, 256, (4 if values == 32 else 2, size), dtype=numpy.uint8)
        for at in places:
            numbers = random.uniform(-0.1, 0.1, len(data)).astype(numpy.float16)
            numbers[-1] = 6e-8  # the smallest that f16 has
            data[:, at : at + 2] = numbers.reshape(-1, 1).view(numpy.uint8)
        for block, weights in zip(data, dequantize(data, kind).astype("<f4")):
            lines += [name.lower(), block.tobytes().hex(), " ".join(f"{bits:08x}" for bits in weights.view("<u4"))]
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")


main()
