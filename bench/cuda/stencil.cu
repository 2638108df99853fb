// stencil of bench/everyday.hpp.
extern "C" __global__ void __launch_bounds__(128)
stencil(const float* __restrict__ x, float* __restrict__ y, unsigned width, unsigned height, unsigned depth) {
  const unsigned i = blockIdx.x * 32 + threadIdx.x + 1, j = blockIdx.y * 4 + threadIdx.y + 1;
  if (i + 1 >= width || j + 1 >= height) return;
  const unsigned plane = width * height;
  for (unsigned k = 1; k < depth - 1; ++k) {
    const unsigned at = k * plane + j * width + i;
    y[at] = x[at - 1] + x[at + 1] + x[at - width] + x[at + width] + x[at - plane] + x[at + plane] - 6.0f * x[at];
  }
}
