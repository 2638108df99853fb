// Sums by atomics alone: float, double and a vector of bins.
extern "C" __global__ void reduction_atomic(const float* x, float* sum, double* wide, float* bins, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(sum, x[i]);
  atomicAdd(wide, (double)x[i] * x[i]);
  atomicAdd(&bins[i % 7], x[i]);
}
