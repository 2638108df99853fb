"""What numpy gives for the expressions of tests/array/numpy_values.cpp: for each a line with its name and shape, and one with its
elements. Run it where numpy is: python3 tests/array/numpy_values.py > tests/array/numpy_values.txt"""

import numpy as np


def numbers(*shape):
    """Sixteenths, so that float holds them."""
    n = int(np.prod(shape))
    return (((np.arange(n) * 37) % 101 - 50) / 16.0).reshape(shape)


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


x, row, column, cube = numbers(5, 7), numbers(7) + 1, numbers(5, 1) - 2, numbers(2, 3, 5, 7)
five_dimensions = numbers(2, 1, 3, 5, 7)
unlimited = np.where(x > 2, np.inf, np.where(x < -2, np.nan, x))
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
    "abs": np.abs(x),
    "ceil": np.ceil(x),
    "floor": np.floor(x),
    "round": np.sign(x) * np.floor(np.abs(x) + 0.5),  # halves away from zero, as C++ does
    "trunc": np.trunc(x),
    "cos": np.cos(x),
    "sin": np.sin(x),
    "exp2": np.exp2(x),
    "log2": np.log2(np.abs(x) + 1),
    "rcp": 1 / (np.abs(x) + 1),
    "rsqrt": 1 / np.sqrt(np.abs(x) + 1),
    "isfinite": np.isfinite(unlimited).astype(int),
    "isnan": np.isnan(unlimited).astype(int),
    "atan": np.arctan(x),
    "cbrt": np.cbrt(x),
    "expm1": np.expm1(x),
    "log1p": np.log1p(np.abs(x)),
    "atan2": np.arctan2(x, row),
    "fmod": np.fmod(x, 0.75),
    "pow": np.power(np.abs(x) + 0.5, row),
    "clamp": np.clip(x, -1, 2),
    "fma": x * row + column,
    "relu": np.maximum(x, 0),
    "leaky_relu": np.where(x > 0, x, 0.25 * x),
    "sigmoid": 1 / (1 + np.exp(-x)),
    "silu": x / (1 + np.exp(-x)),
    "softplus": np.log1p(np.exp(x)),
    "negative": -x,
    "quotient": x / (row + 4),
    "remainder": np.fmod(whole, 4),
    "comparisons": (x < row) + 2 * (x <= row) + 4 * (x == row) + 8 * (x != row),
    "both_or_either": ((x > 0) & (row > 0)) + 2 * ((x > 0) | (row > 0)),
    "cumsum_0": x.cumsum(axis=0),
    "cumsum_1": x.cumsum(axis=1),
    "cumprod_1": (x / 2).cumprod(axis=1),
    "cummax_1": np.maximum.accumulate(x, axis=1),
    "cummin_0": np.minimum.accumulate(x, axis=0),
    "log_softmax_1": np.log(softmax(x, 1)),
    "sum_five": five_dimensions.sum(axis=(1, 4)),
    "five_dimensions": five_dimensions * cube[0] - column,
    "padded": np.pad(x, ((1, 0), (2, 1)), constant_values=7),
    "mixed_types": np.where(whole > 0, x, whole) * 2,
}

for name, value in CASES.items():
    value = np.asarray(value, dtype=float)
    print(name, value.ndim, *value.shape)
    print(*(repr(float(v)) for v in value.ravel()))
