// Any combination over a block, as in tg/dsl/block/block_reduce.hpp.
#pragma once

template <class F>
__device__ float combine(float own, float* partials, F f) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) own = f(own, __shfl_xor_sync(0xffffffff, own, d));
  if (lane == 0) partials[threadIdx.x / 32] = own;
  __syncthreads();
  float all = partials[lane % 8];
#pragma unroll
  for (int d = 4; d > 0; d /= 2) all = f(all, __shfl_xor_sync(0xffffffff, all, d));
  return all;
}
