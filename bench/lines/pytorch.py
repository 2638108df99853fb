"""Lines of work in arrays, as PyTorch writes them: an expression stands between its name and `keep`."""

# scaled_sum
y = x * 0.5 + z
keep("scaled_sum", y)
# relu
y = F.relu(x * w + b)
keep("relu", y)
# row_sums
of_rows = x.sum(1)
keep("row_sums", of_rows)
# softmax
y = F.softmax(x, 1)
keep("softmax", y)
# layer_norm
y = F.layer_norm(x, (48,), w, b)
keep("layer_norm", y)
# column_sums
of_columns = x.sum(0)
keep("column_sums", of_columns)
# transposed_sum
y = across.T + z
keep("transposed_sum", y)
# adam
m.mul_(beta1).add_(x, alpha=1 - beta1)
v.mul_(beta2).addcmul_(x, x, value=1 - beta2)
weights.addcdiv_(m * fix1, torch.sqrt(v * fix2).add_(1e-8), value=-rate)
keep("adam", weights, m, v)
# exp
y = torch.exp(x)
keep("exp", y)
# gelu
y = F.gelu(x, approximate="tanh")
keep("gelu", y)
# clamp
y = torch.clamp(x, -1, 1)
keep("clamp", y)
# where
y = torch.where(x > z, x, z)
keep("where", y)
# outer
y = torch.outer(of_row, w)
keep("outer", y)
# total
total = x.sum()
keep("total", total)
# column_means
of_columns = x.mean(0)
keep("column_means", of_columns)
# argmax
places = x.argmax(1)
keep("argmax", places)
# log_softmax
y = F.log_softmax(x, 1)
keep("log_softmax", y)
# log_sum_exp
of_rows = torch.logsumexp(x, 1)
keep("log_sum_exp", of_rows)
# normalised
y = x / (torch.linalg.vector_norm(x, dim=1, keepdim=True) + 1e-6)
keep("normalised", y)
# rms_norm_residual
both = x + z
y = F.rms_norm(both, (48,), w, 1e-6)
keep("rms_norm_residual", y, both)
# moments
variances, of_rows = torch.var_mean(x, 1, correction=0)
keep("moments", of_rows, variances)
# masked_scores
is_hidden = torch.ones(64, 48, dtype=torch.bool).triu(1)
y = F.softmax((x * 0.125).masked_fill(is_hidden, -torch.inf), 1)
keep("masked_scores", y)
# cross_entropy
of_rows = torch.logsumexp(x, 1) - (x * z).sum(1)
keep("cross_entropy", of_rows)
# its_gradient
y = F.softmax(x, 1) - z
keep("its_gradient", y)
# jacobi
y = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.25
keep("jacobi", y)
# running_sum
y = torch.cumsum(x, 1)
keep("running_sum", y)
# product
y = F.gelu(x @ square + b, approximate="tanh")
keep("product", y)
