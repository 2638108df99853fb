// C = A * B, tiles of A and B fetched with cp.async while the tiles before them are used.
// nvcc -arch=sm_80 -O3 -ptx tile_pipeline.cu
#include <cuda_pipeline.h>

constexpr int T = 16;

extern "C" __global__ void tile_pipeline(const float* a, const float* b, float* c, int n) {
  __shared__ float as[2][T][T], bs[2][T][T];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const auto fetch = [&](int stage, int k) {
    const bool in_a = row < n && k + x < n, in_b = k + y < n && col < n;
    __pipeline_memcpy_async(&as[stage][y][x], a + (in_a ? row * n + k + x : 0), 4, in_a ? 0 : 4);
    __pipeline_memcpy_async(&bs[stage][y][x], b + (in_b ? (k + y) * n + col : 0), 4, in_b ? 0 : 4);
    __pipeline_commit();
  };
  fetch(0, 0);
  float sum = 0;
  int stage = 0;
  for (int k = 0; k < n; k += T, stage ^= 1) {
    if (k + T < n) {
      fetch(stage ^ 1, k + T);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; ++i) sum += as[stage][y][i] * bs[stage][i][x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
