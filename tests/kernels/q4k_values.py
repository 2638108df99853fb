"""Writes tests/kernels/q4k_values.txt: random Q4_K blocks and what the `gguf` package says their weights are.

    python3 -m venv v && v/bin/pip install gguf && v/bin/python tests/kernels/q4k_values.py

One block is two lines: its 144 bytes, and the bits of its 256 weights as floats, in hexadecimal.
"""

import pathlib

import numpy
from gguf import GGMLQuantizationType
from gguf.quants import dequantize

blocks, block_bytes = 6, 144


def main():
    random = numpy.random.default_rng(20)
    data = random.integers(0, 256, (blocks, block_bytes), dtype=numpy.uint8)
    scales = random.uniform(0, 0.1, (blocks, 2)).astype(numpy.float16)
    scales[-1] = [-0.03, 6e-8]  # a negative scale, and the smallest number that f16 has
    data[:, :4] = scales.view(numpy.uint8)
    weights = dequantize(data, GGMLQuantizationType.Q4_K).astype("<f4")
    lines = []
    for block, values in zip(data, weights):
        lines.append(block.tobytes().hex())
        lines.append(" ".join(f"{bits:08x}" for bits in values.view("<u4")))
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")


main()
