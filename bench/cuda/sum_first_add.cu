// sum_first_add of kernels/reduction_steps.hpp.
#include "block_sum.cuh"

extern "C" __global__ void __launch_bounds__(256)
sum_first_add(const float* __restrict__ x, float* __restrict__ partial, unsigned n) {
  __shared__ float tile[256];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 512 + t;
  float own = 0.0f;
  if (i < n) own += x[i];
  if (i + 256 < n) own += x[i + 256];
  tile[t] = own;
  add_halves(tile);
  if (t == 0) partial[blockIdx.x] = tile[t];
}
