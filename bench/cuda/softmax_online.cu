// softmax_online of kernels/softmax_online.hpp.
#include "block_combine.cuh"

extern "C" __global__ void __launch_bounds__(256)
softmax_online(const float* __restrict__ x, unsigned ldx, float* __restrict__ y, unsigned ldy, unsigned cols) {
  __shared__ float maxima[8];
  __shared__ float sums[8];
  const float* from = x + static_cast<size_t>(blockIdx.x) * ldx;
  float* to = y + static_cast<size_t>(blockIdx.x) * ldy;
  float peak = -3.402823466e+38f;
  float sum = 0.0f;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(cols); j += 256) {
    const float v = from[j];
    const float next = fmaxf(peak, v);
    sum = sum * __expf(peak - next) + __expf(v - next);
    peak = next;
  }
  const float all = combine(peak, maxima, [](float a, float b) { return fmaxf(a, b); });
  const float scale = 1.0f / combine(sum * __expf(peak - all), sums, [](float a, float b) { return a + b; });
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(cols); j += 256) to[j] = __expf(from[j] - all) * scale;
}
