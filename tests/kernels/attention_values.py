"""Writes attention_values.txt, what PyTorch says of some inputs: pip install torch; python tests/kernels/attention_values.py

A case is a line of words, then its results as the bits of floats, row after row. The inputs are numbers that 16-bit floats
hold exactly, made by the same rule in attention.cpp. PyTorch computes in double precision.
"""
import pathlib
import struct

import torch

CASES = [  # head size, causal, queries, keys, heads, heads of keys and values, sequences
    (64, True, 13, 75, 2, 1, 2),
    (128, False, 9, 70, 2, 2, 1),
    (128, True, 7, 67, 4, 2, 1),
]


def numbers(first, *shape):
    """Multiples of 1/64 in [-2, 2); `first` sets one tensor apart from another."""
    count = torch.Size(shape).numel()
    each = [((first + i) * 2654435761 % 2**32 >> 24) / 64 - 2 for i in range(count)]
    return torch.tensor(each, dtype=torch.float64).reshape(shape)


def attention(size, causal, queries, keys, heads, shared_heads, batch):
    """Results as batch x queries x heads x size; the last query sees all keys."""
    def by_heads(x):
        return x.transpose(1, 2)
    q = by_heads(numbers(0, batch, queries, heads, size))
    k = by_heads(numbers(100000, batch, keys, shared_heads, size)).repeat_interleave(heads // shared_heads, dim=1)
    v = by_heads(numbers(200000, batch, keys, shared_heads, size)).repeat_interleave(heads // shared_heads, dim=1)
    seen = torch.ones(queries, keys, dtype=torch.bool)
    if causal:
        seen = seen.tril(diagonal=keys - queries)
    return by_heads(torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen, scale=0.125))


def main():
    out = []
    for case in CASES:
        out.append(" ".join(str(int(word)) for word in case))
        bits = [struct.pack(">f", x).hex() for x in attention(*case).reshape(-1).tolist()]
        out += [" ".join(bits[i:i + 15]) for i in range(0, len(bits), 15)]
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
