// transpose_naive of kernels/transpose_steps.hpp.
extern "C" __global__ void __launch_bounds__(256)
transpose_naive(const float* __restrict__ a, unsigned lda, float* __restrict__ b, unsigned ldb, unsigned rows, unsigned cols) {
  const unsigned col = blockIdx.x * 32 + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < 32; k += 8) {
    const unsigned row = blockIdx.y * 32 + threadIdx.y + k;
    if (row < rows && col < cols) b[col * ldb + row] = a[row * lda + col];
  }
}
