// softmax of kernels/softmax.hpp.
#include "block_combine.cuh"

extern "C" __global__ void __launch_bounds__(256)
softmax(const float* __restrict__ x, unsigned ldx, float* __restrict__ y, unsigned ldy, unsigned cols) {
  __shared__ float maxima[8];
  __shared__ float sums[8];
  const float* from = x + static_cast<size_t>(blockIdx.x) * ldx;
  float* to = y + static_cast<size_t>(blockIdx.x) * ldy;
  float largest = -3.402823466e+38f;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(cols); j += 256) largest = fmaxf(largest, from[j]);
  const float peak = combine(largest, maxima, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0.0f;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(cols); j += 256) sum += __expf(from[j] - peak);
  const float scale = 1.0f / combine(sum, sums, [](float a, float b) { return a + b; });
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(cols); j += 256) to[j] = __expf(from[j] - peak) * scale;
}
