// layer_norm of bench/everyday.hpp.
#include "block_combine.cuh"

extern "C" __global__ void __launch_bounds__(256)
layer_norm(const float* __restrict__ x, unsigned ldx, const float* __restrict__ gain, const float* __restrict__ bias,
           float* __restrict__ y, unsigned ldy, unsigned columns) {
  __shared__ float first[8], second[8];
  const float* row = x + static_cast<size_t>(blockIdx.x) * ldx;
  float sum = 0, squares = 0;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(columns); j += 256) {
    const float v = row[j];
    sum += v;
    squares += v * v;
  }
  const float length = columns;
  const float mean = combine(sum, first, [](float a, float b) { return a + b; }) / length;
  const float scale = rsqrtf(combine(squares, second, [](float a, float b) { return a + b; }) / length - mean * mean + 1e-5f);
  float* out = y + static_cast<size_t>(blockIdx.x) * ldy;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(columns); j += 256) out[j] = (row[j] - mean) * scale * gain[j] + bias[j];
}
