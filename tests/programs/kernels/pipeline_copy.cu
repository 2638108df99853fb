// Tiles copied ahead by cp.async in four stages while the tile before is used; the rows are blurred along the way.
// nvcc: -lineinfo
#include <cuda_pipeline.h>

constexpr int T = 64, stages = 4;

extern "C" __global__ void pipeline_copy(const float4* x, float4* y, int tiles) {
  __shared__ float4 ring[stages][T];
  const int t = threadIdx.x;
  x += blockIdx.x * tiles * T, y += blockIdx.x * tiles * T;
  for (int s = 0; s < stages - 1; ++s) {
    if (s < tiles) __pipeline_memcpy_async(&ring[s][t], &x[s * T + t], sizeof(float4));
    __pipeline_commit();
  }
  for (int k = 0; k < tiles; ++k) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    const float4 a = ring[k % stages][t], b = ring[k % stages][(t + 1) % T];
    y[k * T + t] = make_float4(a.x + b.w, a.y + b.z, a.z + b.y, a.w + b.x);
    const int ahead = k + stages - 1;
    if (ahead < tiles) __pipeline_memcpy_async(&ring[ahead % stages][t], &x[ahead * T + t], sizeof(float4));
    __pipeline_commit();
  }
}

extern "C" __global__ void partial_copy(const int* x, int* y, int n) {  // what is past the end is filled with zeros
  __shared__ __align__(16) int tile[4 * T];
  const int i = 4 * (blockIdx.x * T + threadIdx.x), left = min(max(n - i, 0), 4);
  __pipeline_memcpy_async(&tile[4 * threadIdx.x], &x[left > 0 ? i : 0], 16, 16 - 4 * left);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = threadIdx.x; k < 4 * T; k += T) y[blockIdx.x * 4 * T + k] = tile[4 * T - 1 - k];
}
