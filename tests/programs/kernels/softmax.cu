// One row per block: maximum, sum of exponentials, quotient; in three passes over the row.
template <class F>
__device__ float over_block(float v, float* parts, F f) {
  for (int step = 16; step > 0; step /= 2) v = f(v, __shfl_xor_sync(~0u, v, step));
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = parts[0];
  for (unsigned w = 1; w < blockDim.x / 32; ++w) v = f(v, parts[w]);
  return v;
}

extern "C" __global__ void softmax(const float* __restrict__ x, float* __restrict__ y, unsigned columns) {
  __shared__ float parts[32];
  x += blockIdx.x * columns, y += blockIdx.x * columns;
  float most = -INFINITY, sum = 0;
  for (unsigned c = threadIdx.x; c < columns; c += blockDim.x) most = fmaxf(most, x[c]);
  most = over_block(most, parts, [](float a, float b) { return fmaxf(a, b); });
  for (unsigned c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(x[c] - most);
  sum = over_block(sum, parts, [](float a, float b) { return a + b; });
  for (unsigned c = threadIdx.x; c < columns; c += blockDim.x) y[c] = expf(x[c] - most) / sum;
}
