// Sums over a block, as in tg/dsl/block/block_reduce.hpp and kernels/reduction.hpp.
#pragma once

__device__ float block_sum(float own) {
  __shared__ float partials[8];
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) own += __shfl_xor_sync(0xffffffff, own, d);
  if (lane == 0) partials[threadIdx.x / 32] = own;
  __syncthreads();
  float all = partials[lane % 8];
#pragma unroll
  for (int d = 4; d > 0; d /= 2) all += __shfl_xor_sync(0xffffffff, all, d);
  return all;
}

__device__ void add_halves(float* tile) {
  const unsigned t = threadIdx.x;
#pragma unroll
  for (unsigned distance = 128; distance > 0; distance /= 2) {
    __syncthreads();
    if (t < distance) tile[t] += tile[t + distance];
  }
}
