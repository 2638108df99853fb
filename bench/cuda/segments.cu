// segmented_reduce and segmented_reduce_long of kernels/segmented.hpp, sums: eight lanes or a block for each segment.

// The whole sum in thread 0 alone.
__device__ __forceinline__ float block_sum_to_first(float own) {
  __shared__ float partials[8];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) own += __shfl_down_sync(~0u, own, d);
  if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (int w = 1; w < 8; ++w) own += partials[w];
  }
  return own;
}

extern "C" __global__ void __launch_bounds__(256)
    segmented_sum(const float* __restrict__ x, const unsigned* __restrict__ offsets, float* __restrict__ y, unsigned segments) {
  const unsigned lane = threadIdx.x % 8, segment = blockIdx.x * 32 + threadIdx.x / 8;
  float own = 0;
  if (segment < segments) {
    const unsigned end = offsets[segment + 1];
#pragma unroll 4
    for (unsigned i = offsets[segment] + lane; i < end; i += 8) own += x[i];
  }
#pragma unroll
  for (int d = 4; d > 0; d /= 2) own += __shfl_xor_sync(~0u, own, d);
  if (lane == 0 && segment < segments) y[segment] = own;
}

extern "C" __global__ void __launch_bounds__(256)
    segmented_sum_long(const float* __restrict__ x, const unsigned* __restrict__ offsets, float* __restrict__ y) {
  const unsigned end = offsets[blockIdx.x + 1];
  float own = 0;
#pragma unroll 4
  for (unsigned i = offsets[blockIdx.x] + threadIdx.x; i < end; i += 256) own += x[i];
  const float all = block_sum_to_first(own);
  if (threadIdx.x == 0) y[blockIdx.x] = all;
}
