// softmax of kernels/softmax.hpp: 32 elements of each thread stay in registers, those of longer rows are read three times.
template <class F> __device__ float combine_warps(float own, float* partials, F f) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) own = f(own, __shfl_xor_sync(~0u, own, d));
  if (lane == 0) partials[threadIdx.x / 32] = own;
  __syncthreads();
  float all = partials[lane % 16];
#pragma unroll
  for (int d = 8; d > 0; d /= 2) all = f(all, __shfl_xor_sync(~0u, all, d));
  return all;
}

extern "C" __global__ void __launch_bounds__(512)
softmax(const float* __restrict__ x, unsigned ldx, float* __restrict__ y, unsigned ldy, unsigned cols) {
  constexpr unsigned threads = 512, each = 32, group = 8;
  __shared__ float maxima[16];
  __shared__ float sums[16];
  const unsigned thread = threadIdx.x;
  const float* from = x + static_cast<size_t>(blockIdx.x) * ldx;
  float* to = y + static_cast<size_t>(blockIdx.x) * ldy;
  float own[each];
  float largest = -3.402823466e+38f;
#pragma unroll
  for (unsigned k = 0; k < each; ++k) own[k] = -INFINITY;
#pragma unroll
  for (unsigned g = 0; g < each; g += group)
    if (g * threads < cols)
#pragma unroll
      for (unsigned k = g; k < g + group; ++k)
        if (thread + k * threads < cols) own[k] = from[thread + k * threads];
#pragma unroll
  for (unsigned g = 0; g < each; g += group)
    if (g * threads < cols)
#pragma unroll
      for (unsigned k = g; k < g + group; ++k) largest = fmaxf(largest, own[k]);
#pragma unroll 4
  for (unsigned j = thread + each * threads; j < cols; j += threads) largest = fmaxf(largest, from[j]);
  const float peak = combine_warps(largest, maxima, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0.0f;
#pragma unroll
  for (unsigned g = 0; g < each; g += group)
    if (g * threads < cols)
#pragma unroll
      for (unsigned k = g; k < g + group; ++k) sum += own[k] = __expf(own[k] - peak);
#pragma unroll 4
  for (unsigned j = thread + each * threads; j < cols; j += threads) sum += __expf(from[j] - peak);
  const float scale = 1.0f / combine_warps(sum, sums, [](float a, float b) { return a + b; });
#pragma unroll
  for (unsigned g = 0; g < each; g += group)
    if (g * threads < cols)
#pragma unroll
      for (unsigned k = g; k < g + group; ++k)
        if (thread + k * threads < cols) to[thread + k * threads] = own[k] * scale;
#pragma unroll 4
  for (unsigned j = thread + each * threads; j < cols; j += threads) to[j] = __expf(from[j] - peak) * scale;
}
