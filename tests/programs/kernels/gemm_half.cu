// C = A * B of halves, sums in pairs by half2 within a tile and in single precision across tiles.
#include <cuda_fp16.h>

extern "C" __global__ void gemm_half(const __half* a, const __half2* b, float2* c, int n2, int k) {
  __shared__ __half ta[8][16];
  __shared__ __half2 tb[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 16 + x;
  float2 sum = make_float2(0, 0);
  for (int first = 0; first < k; first += 16) {
    ta[y][x] = a[row * k + first + x];
    tb[y][x] = b[(first + y) * n2 + column];
    tb[y + 8][x] = b[(first + y + 8) * n2 + column];
    __syncthreads();
    __half2 part = __float2half2_rn(0);
    for (int i = 0; i < 16; ++i) part = __hfma2(__half2half2(ta[y][i]), tb[i][x], part);
    sum.x += __low2float(part), sum.y += __high2float(part);
    __syncthreads();
  }
  c[row * n2 + column] = sum;
}
