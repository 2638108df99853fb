"""Lines of work in arrays, as CuPy writes them: an expression stands between its name and `keep`. NumPy, which has the same
functions, runs them as `cp` where there is no GPU."""

# scaled_sum
y = x * 0.5 + z
keep("scaled_sum", y)
# relu
y = cp.maximum(x * w + b, 0)
keep("relu", y)
# row_sums
of_rows = x.sum(axis=1)
keep("row_sums", of_rows)
# softmax
powers = cp.exp(x - x.max(axis=1, keepdims=True))
y = powers / powers.sum(axis=1, keepdims=True)
keep("softmax", y)
# layer_norm
apart = x - x.mean(axis=1, keepdims=True)
y = apart / cp.sqrt((apart * apart).mean(axis=1, keepdims=True) + 1e-5) * w + b
keep("layer_norm", y)
# column_sums
of_columns = x.sum(axis=0)
keep("column_sums", of_columns)
# transposed_sum
y = across.T + z
keep("transposed_sum", y)
# adam
m = m * beta1 + x * (1 - beta1)
v = v * beta2 + x * x * (1 - beta2)
weights = weights - m * fix1 / (cp.sqrt(v * fix2) + 1e-8) * rate
keep("adam", weights, m, v)
# exp
y = cp.exp(x)
keep("exp", y)
# gelu
y = 0.5 * x * (1 + cp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
keep("gelu", y)
# clamp
y = cp.clip(x, -1, 1)
keep("clamp", y)
# where
y = cp.where(x > z, x, z)
keep("where", y)
# outer
y = of_row[:, None] * w
keep("outer", y)
# total
total = x.sum()
keep("total", total)
# column_means
of_columns = x.mean(axis=0)
keep("column_means", of_columns)
# argmax
places = x.argmax(axis=1)
keep("argmax", places)
# log_softmax
apart = x - x.max(axis=1, keepdims=True)
y = apart - cp.log(cp.exp(apart).sum(axis=1, keepdims=True))
keep("log_softmax", y)
# log_sum_exp
peak = x.max(axis=1)
of_rows = cp.log(cp.exp(x - peak[:, None]).sum(axis=1)) + peak
keep("log_sum_exp", of_rows)
# normalised
y = x / (cp.sqrt((x * x).sum(axis=1, keepdims=True)) + 1e-6)
keep("normalised", y)
# rms_norm_residual
both = x + z
y = both / cp.sqrt((both * both).mean(axis=1, keepdims=True) + 1e-6) * w
keep("rms_norm_residual", y, both)
# moments
of_rows, variances = x.mean(axis=1), x.var(axis=1)
keep("moments", of_rows, variances)
# masked_scores
is_seen = cp.arange(64)[:, None] >= cp.arange(48)
scores = cp.where(is_seen, x * 0.125, -cp.inf)
powers = cp.exp(scores - scores.max(axis=1, keepdims=True))
y = powers / powers.sum(axis=1, keepdims=True)
keep("masked_scores", y)
# cross_entropy
peak = x.max(axis=1)
of_rows = cp.log(cp.exp(x - peak[:, None]).sum(axis=1)) + peak - (x * z).sum(axis=1)
keep("cross_entropy", of_rows)
# its_gradient
powers = cp.exp(x - x.max(axis=1, keepdims=True))
y = powers / powers.sum(axis=1, keepdims=True) - z
keep("its_gradient", y)
# jacobi
y = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.25
keep("jacobi", y)
# running_sum
y = cp.cumsum(x, axis=1)
keep("running_sum", y)
# product
sums = x @ square + b
y = 0.5 * sums * (1 + cp.tanh(0.7978845608 * (sums + 0.044715 * sums * sums * sums)))
keep("product", y)
