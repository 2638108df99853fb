// cross_entropy of bench/everyday.hpp.
#include "block_combine.cuh"

extern "C" __global__ void __launch_bounds__(256)
cross_entropy(const float* __restrict__ logits, unsigned leading, const unsigned* __restrict__ target, float* __restrict__ loss,
              unsigned columns) {
  __shared__ float maxima[8], sums[8];
  const float* row = logits + static_cast<size_t>(blockIdx.x) * leading;
  const int thread = threadIdx.x, n = static_cast<int>(columns), whole = n / 1024 * 1024;
  float peak = -3.402823466e+38f, sum = 0;
#pragma unroll 2
  for (int j = thread; j < whole; j += 1024) {
    const float a = row[j], b = row[j + 256], c = row[j + 512], d = row[j + 768];
    const float next = fmaxf(peak, fmaxf(fmaxf(a, b), fmaxf(c, d)));
    sum = sum * __expf(peak - next) + ((__expf(a - next) + __expf(b - next)) + (__expf(c - next) + __expf(d - next)));
    peak = next;
  }
#pragma unroll 1
  for (int j = whole + thread; j < n; j += 256) {
    const float own = row[j], next = fmaxf(peak, own);
    sum = sum * __expf(peak - next) + __expf(own - next);
    peak = next;
  }
  const float top = combine(peak, maxima, [](float a, float b) { return fmaxf(a, b); });
  const float total = combine(sum * __expf(peak - top), sums, [](float a, float b) { return a + b; });
  if (threadIdx.x == 0) loss[blockIdx.x] = __logf(total) + top - row[target[blockIdx.x]];
}
