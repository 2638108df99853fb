// histogram of bench/everyday.hpp.
extern "C" __global__ void __launch_bounds__(256) histogram(const unsigned* __restrict__ words, unsigned* counts, unsigned n) {
  __shared__ unsigned own[256];
  const unsigned t = threadIdx.x;
  own[t] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
    const unsigned word = words[i];
    for (unsigned b = 0; b < 4; ++b) atomicAdd(&own[word >> (8 * b) & 255], 1);
  }
  __syncthreads();
  atomicAdd(&counts[t], own[t]);
}
