// sum_interleaved of kernels/reduction_steps.hpp.
extern "C" __global__ void __launch_bounds__(256)
sum_interleaved(const float* __restrict__ x, float* __restrict__ partial, unsigned n) {
  __shared__ float tile[256];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 256 + t;
  tile[t] = i < n ? x[i] : 0.0f;
#pragma unroll
  for (unsigned distance = 1; distance < 256; distance *= 2) {
    __syncthreads();
    if (t % (2 * distance) == 0) tile[t] += tile[t + distance];
  }
  if (t == 0) partial[blockIdx.x] = tile[t];
}
