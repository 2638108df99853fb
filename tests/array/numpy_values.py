"""What numpy gives for the expressions of tests/array/numpy_values.cpp, as a header. Run it where numpy is: python3
tests/array/numpy_values.py > tests/array/numpy_values.hpp"""

import numpy as np


def numbers(*shape):
    """Sixteenths, so that float holds them."""
    n = int(np.prod(shape))
    return (((np.arange(n) * 37) % 101 - 50) / 16.0).reshape(shape)


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


x, row, column, cube = numbers(5, 7), numbers(7) + 1, numbers(5, 1) - 2, numbers(2, 3, 5, 7)
whole = np.arange(35).reshape(5, 7) * 13 % 19 - 9
CASES = {
    "broadcast": x * row + column,
    "four_dimensions": cube * x - row,
    "where": np.where(x > column, x, row),
    "integers": (whole * 3) ^ (whole & 5),
    "shift": (whole + 9) << 2 | whole % 2,
    "tanh": np.tanh(x),
    "exp": np.exp(x),
    "log": np.log(np.abs(x) + 1),
    "sqrt": np.sqrt(np.abs(x)),
    "fmin_fmax": np.maximum(np.minimum(x, 1), row),
    "sum_0": x.sum(axis=0),
    "sum_1": x.sum(axis=1),
    "sum_all": x.sum(),
    "sum_0_2": cube.sum(axis=(0, 2)),
    "sum_1_3_keep": cube.sum(axis=(1, 3), keepdims=True),
    "prod_1": (x / 2).prod(axis=1),
    "max_2": cube.max(axis=2),
    "min_all": cube.min(),
    "argmax_1": x.argmax(axis=1),
    "argmin_0": x.argmin(axis=0),
    "argmax_all": whole.argmax(),
    "any_1": (x > 3).any(axis=1).astype(int),
    "all_0": (x > -3).all(axis=0).astype(int),
    "mean_1": x.mean(axis=1),
    "var_0": x.var(axis=0),
    "norm_1": np.linalg.norm(x, axis=1),
    "softmax_1": softmax(x, 1),
    "softmax_0": softmax(x, 0) * row,
    "logsumexp_1": np.log(np.exp(x).sum(axis=1)),
    "normed": (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5) * row,
    "beside_as_numpy": numbers(6, 6) + numbers(6, 6).sum(axis=1),
    "transposed": x.T * 2,
    "permuted": cube.transpose(2, 0, 3, 1) + 1,
    "sliced": x[1:4, ::2] * 3,
    "column_of": x[:, 3] - 1,
    "outer": np.multiply.outer(numbers(5), row),
    "take": row[[3, 0, 6, 3]],
    "take_rows": x[[4, 0, 4]],
    "take_columns": x[:, [6, 1]],
    "take_along_1": np.take_along_axis(x, x.argmax(axis=1, keepdims=True), axis=1),
    "reversed_shape": cube.reshape(6, 35).sum(axis=0),
    "matrix_product": x @ numbers(7, 4),
}

print("// What numpy gives; written by numpy_values.py.\n#pragma once\n\n#include <cstdint>\n#include <map>\n#include <string>\n#include <vector>\n")
print("namespace arrays {\n\n/// A shape and its elements, row by row.\nstruct numpy_value {\n  std::vector<std::int64_t> shape;\n  std::vector<double> elements;\n};\n")
print("inline const std::map<std::string, numpy_value> numpy_values = {")
for name, value in CASES.items():
    value = np.asarray(value)
    shape = ", ".join(str(n) for n in value.shape)
    elements = [repr(float(v)) for v in value.ravel()]
    print(f'    {{"{name}",\n     {{{{{shape}}},\n      {{', end="")
    line, width = [], 0
    lines = []
    for e in elements:
        if width + len(e) + 2 > 110:
            lines.append(", ".join(line))
            line, width = [], 0
        line.append(e)
        width += len(e) + 2
    lines.append(", ".join(line))
    print(",\n       ".join(lines) + "}}},")
print("};\n\n}  // namespace arrays")
