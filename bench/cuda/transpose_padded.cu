// transpose_padded of kernels/transpose_steps.hpp.
#include "transpose.cuh"

extern "C" __global__ void __launch_bounds__(256)
transpose_padded(const float* __restrict__ a, unsigned lda, float* __restrict__ b, unsigned ldb, unsigned rows, unsigned cols) {
  __shared__ float tile[32][33];
  through([&](unsigned r, unsigned c) -> float& { return tile[r][c]; }, a, lda, b, ldb, rows, cols);
}
