// sum_sequential of kernels/reduction_steps.hpp.
#include "block_sum.cuh"

extern "C" __global__ void __launch_bounds__(256)
sum_sequential(const float* __restrict__ x, float* __restrict__ partial, unsigned n) {
  __shared__ float tile[256];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 256 + t;
  tile[t] = i < n ? x[i] : 0.0f;
  add_halves(tile);
  if (t == 0) partial[blockIdx.x] = tile[t];
}
