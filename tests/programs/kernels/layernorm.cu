// One row per warp: mean and variance by Welford's method, merged across lanes; scaled and shifted.
struct moments {
  float count, mean, square;
};
__device__ moments merged(moments a, moments b) {
  const float count = a.count + b.count;
  if (count == 0) return a;
  const float delta = b.mean - a.mean, share = b.count / count;
  return {count, a.mean + delta * share, a.square + b.square + delta * delta * a.count * share};
}

extern "C" __global__ void layernorm(const float* x, const float* scale, const float* shift, float* y, int rows,
                                     int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  x += row * columns, y += row * columns;
  moments m{0, 0, 0};
  for (int c = threadIdx.x; c < columns; c += 32) {
    m.count += 1;
    const float delta = x[c] - m.mean;
    m.mean += delta / m.count;
    m.square += delta * (x[c] - m.mean);
  }
  for (int step = 16; step > 0; step /= 2) {
    const moments other{__shfl_xor_sync(~0u, m.count, step), __shfl_xor_sync(~0u, m.mean, step),
                        __shfl_xor_sync(~0u, m.square, step)};
    m = threadIdx.x & step ? merged(other, m) : merged(m, other);
  }
  const float inverse = rsqrtf(m.square / columns + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += 32) y[c] = (x[c] - m.mean) * inverse * scale[c] + shift[c];
}
