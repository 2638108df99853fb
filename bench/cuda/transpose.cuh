// The two halves that the tiled steps of kernels/transpose.hpp share.
#pragma once

template <class At>
__device__ void through(At at, const float* __restrict__ a, unsigned lda, float* __restrict__ b, unsigned ldb, unsigned rows, unsigned cols) {
  const unsigned lane = threadIdx.x;
  const unsigned left = blockIdx.x * 32;
  const unsigned top = blockIdx.y * 32;
#pragma unroll
  for (unsigned k = 0; k < 32; k += 8) {
    const unsigned line = threadIdx.y + k;
    if (top + line < rows && left + lane < cols) at(line, lane) = a[(top + line) * lda + left + lane];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 32; k += 8) {
    const unsigned line = threadIdx.y + k;
    if (left + line < cols && top + lane < rows) b[(left + line) * ldb + top + lane] = at(lane, line);
  }
}
