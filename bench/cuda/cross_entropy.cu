// cross_entropy of bench/everyday.hpp.
#include "block_combine.cuh"

extern "C" __global__ void __launch_bounds__(256)
cross_entropy(const float* __restrict__ logits, unsigned leading, const unsigned* __restrict__ target, float* __restrict__ loss,
              unsigned columns) {
  __shared__ float maxima[8], sums[8];
  const float* row = logits + static_cast<size_t>(blockIdx.x) * leading;
  float peak = -3.402823466e+38f;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(columns); j += 256) peak = fmaxf(peak, row[j]);
  const float top = combine(peak, maxima, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(columns); j += 256) sum += __expf(row[j] - top);
  const float total = combine(sum, sums, [](float a, float b) { return a + b; });
  if (threadIdx.x == 0) loss[blockIdx.x] = __logf(total) + top - row[target[blockIdx.x]];
}
