// sum_shuffled of kernels/reduction_steps.hpp.
#include "block_sum.cuh"

extern "C" __global__ void __launch_bounds__(256)
sum_shuffled(const float* __restrict__ x, float* __restrict__ partial, unsigned n) {
  const unsigned i = blockIdx.x * 512 + threadIdx.x;
  float own = 0.0f;
  if (i < n) own += x[i];
  if (i + 256 < n) own += x[i + 256];
  const float total = block_sum(own);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
