"""Writes attention_gradient_values.txt, what PyTorch's autograd says of some inputs: apt-get install python3-torch; python3
tests/kernels/attention_gradient_values.py

A case is a line of words, then the gradients of q, of k and of v as the bits of floats, row after row. The inputs are numbers
that 16-bit floats hold exactly, made by the same rule in attention_backward.cpp. PyTorch computes in double precision.
"""
import pathlib
import struct

import torch

CASES = [  # head size, causal, queries, keys, heads, heads of keys and values, sequences
    (64, True, 13, 37, 2, 1, 1),
    (64, False, 5, 70, 1, 1, 1),
]


def numbers(first, *shape):
    """Multiples of 1/64 in [-2, 2); `first` sets one tensor apart from another."""
    count = torch.Size(shape).numel()
    each = [((first + i) * 2654435761 % 2**32 >> 24) / 64 - 2 for i in range(count)]
    return torch.tensor(each, dtype=torch.float64).reshape(shape)


def gradients(size, causal, queries, keys, heads, shared_heads, batch):
    """Gradients of q, k and v, each as sequences x positions x heads x size; the last query sees all keys."""
    q = numbers(0, batch, queries, heads, size).requires_grad_()
    k = numbers(100000, batch, keys, shared_heads, size).requires_grad_()
    v = numbers(200000, batch, keys, shared_heads, size).requires_grad_()
    slope = numbers(300000, batch, queries, heads, size)
    each = [x.transpose(1, 2) for x in (q, k, v)]
    wide = [x.repeat_interleave(heads // shared_heads, dim=1) for x in each[1:]]
    scores = each[0] @ wide[0].transpose(2, 3) * 0.125
    if causal:
        seen = torch.ones(queries, keys, dtype=torch.bool).tril(diagonal=keys - queries)
        scores = scores.masked_fill(~seen, -torch.inf)
    out = (torch.softmax(scores, dim=3) @ wide[1]).transpose(1, 2)
    return torch.autograd.grad(out, (q, k, v), slope)


def main():
    out = []
    for case in CASES:
        out.append(" ".join(str(int(word)) for word in case))
        bits = [struct.pack(">f", x).hex() for g in gradients(*case) for x in g.reshape(-1).tolist()]
        out += [" ".join(bits[i:i + 15]) for i in range(0, len(bits), 15)]
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
