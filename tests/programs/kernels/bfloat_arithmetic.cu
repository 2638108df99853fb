// bfloat16, alone and in pairs, and its conversions.
#include <cuda_bf16.h>

extern "C" __global__ void bfloat_arithmetic(const __nv_bfloat16* x, const float* f, __nv_bfloat16* out, float* wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 >= n) return;
  const __nv_bfloat16 a = x[i], b = x[i + 1], c = x[i + 2];
  __nv_bfloat16* to = out + 8 * i;
  to[0] = __hfma(a, b, c), to[1] = __hmin(a, b), to[2] = __hmax(b, c), to[3] = __hneg(a);
  to[4] = __float2bfloat16_rn(f[i]), to[5] = __float2bfloat16_rz(f[i]);
  const __nv_bfloat162 pair = __floats2bfloat162_rn(f[i], f[i + 1]);
  to[6] = pair.x, to[7] = pair.y;
  const __nv_bfloat162 r = __hfma2(__halves2bfloat162(a, b), __halves2bfloat162(b, c), pair);
  wide[3 * i] = __low2float(r), wide[3 * i + 1] = __high2float(r), wide[3 * i + 2] = __bfloat162float(a + b * c);
}
