// Tensor cores through nvcuda::wmma: halves in, floats out, one 32 x 32 tile of C per block of four warps.
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void wmma_half(const __half* a, const __half* b, const float* c, float* d, int n, int k) {
  const int warp = threadIdx.x / 32, row = blockIdx.y * 32 + warp / 2 * 16, column = blockIdx.x * 32 + warp % 2 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(sum, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + column * k + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 0.5f;
  wmma::store_matrix_sync(d + row * n + column, sum, n, wmma::mem_row_major);
}
