// Escape times; fused and separate roundings are spelled out, so that the host counts the same.
// clang: -O2
extern "C" __global__ void mandelbrot(unsigned* times, int width, int height, unsigned limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cr = fmaf(3.0f / 64, (float)x, -2.25f), ci = fmaf(3.0f / 64, (float)y, -1.25f);
  float r = 0, i = 0;
  unsigned t = 0;
  for (; t < limit && fmaf(r, r, fmaf(i, i, -4.0f)) <= 0; ++t) {
    const float next = fmaf(r, r, fmaf(-i, i, cr));
    i = fmaf(r + r, i, ci);
    r = next;
  }
  times[y * width + x] = t;
}
