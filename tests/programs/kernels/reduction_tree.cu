// Sum of a block by halving strides in shared memory; the block's sum is stored.
// clang: -O2
extern "C" __global__ void reduction_tree(const unsigned* x, unsigned* sums, unsigned n) {
  __shared__ unsigned part[256];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
