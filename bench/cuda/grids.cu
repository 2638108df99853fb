// life and mandelbrot of kernels/life.hpp and kernels/mandelbrot.hpp.
extern "C" __global__ void __launch_bounds__(256) life(const unsigned char* __restrict__ cells, unsigned ldc,
                                                       unsigned char* __restrict__ next, unsigned ldn, int width, int height) {
  const int column = (blockIdx.x * 32 + threadIdx.x) * 4, first = (blockIdx.y * 8 + threadIdx.y) * 4;
  if (column >= width) return;
  const int before = column == 0 ? width - 4 : column - 4, after = column + 4 == width ? 0 : column + 4;
  unsigned own[6], across[6];
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    const int line = first + i - 1;
    const int row = line < 0 ? height - 1 : line < height ? line : 0;
    const unsigned char* from = cells + static_cast<size_t>(row) * ldc;
    const auto word = [&](int at) { return *reinterpret_cast<const unsigned*>(from + at); };
    const unsigned middle = word(column);
    own[i] = middle;
    across[i] = middle + __funnelshift_l(word(before), middle, 8) + __funnelshift_r(middle, word(after), 8);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const unsigned sum = across[i] + across[i + 1] + across[i + 2];
    // Bit 4 of each byte of 16 - (a ^ b) says whether a and b are equal.
    const unsigned is_three = 0x10101010u - (sum ^ 0x03030303u), is_four = 0x10101010u - (sum ^ 0x04040404u);
    const unsigned alive = (is_three >> 4 | (is_four >> 4 & own[i + 1])) & 0x01010101u;
    if (first + i < height) *reinterpret_cast<unsigned*>(next + static_cast<size_t>(first + i) * ldn + column) = alive;
  }
}

extern "C" __global__ void __launch_bounds__(256) mandelbrot(unsigned* __restrict__ counts, unsigned ldc, int width, int height,
                                                             float left, float top, float step, unsigned limit) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= height || column >= width) return;
  const float c = fmaf(static_cast<float>(column), step, left), d = fmaf(static_cast<float>(row), step, top);
  float x = 0, y = 0;
  unsigned count = 0;
#pragma unroll 1
  while (count < limit && fmaf(x, x, y * y) <= 4.0f) {
    const float real = fmaf(x, x, fmaf(-y, y, c));
    y = fmaf(x + x, y, d);
    x = real;
    ++count;
  }
  counts[static_cast<size_t>(row) * ldc + column] = count;
}
