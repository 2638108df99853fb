// convolution of bench/everyday.hpp.
extern "C" __global__ void __launch_bounds__(256)
convolution(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, unsigned taps, unsigned n) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float* from = x + i;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < static_cast<int>(taps); ++k) sum += from[k] * w[k];
  y[i] = sum;
}
