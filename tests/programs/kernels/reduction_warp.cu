// The last 64 values of a block are added by one warp without block barriers, as it was done before shuffles.
template <unsigned Half>
__device__ void fold(volatile double* part, unsigned t) {
  const double sum = part[t] + part[t + Half];
  __syncwarp();
  part[t] = sum;
  __syncwarp();
}

extern "C" __global__ void reduction_warp(const double* x, double* sums, unsigned n) {
  extern __shared__ double part[];
  const unsigned t = threadIdx.x;
  double sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  part[t] = sum;
  if (t < 32) part[blockDim.x + t] = 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 32; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t < 32) {
    fold<32>(part, t), fold<16>(part, t), fold<8>(part, t), fold<4>(part, t), fold<2>(part, t), fold<1>(part, t);
    if (t == 0) sums[blockIdx.x] = part[0];
  }
}
