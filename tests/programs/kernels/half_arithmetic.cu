// half and half2: sums, products, fused, quotients, comparisons, roots and functions, conversions of both kinds.
#include <cuda_fp16.h>

extern "C" __global__ void half_arithmetic(const __half* x, __half* out, float* wide, unsigned* flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 >= n) return;
  const __half a = x[i], b = x[i + 1], c = x[i + 2];
  __half* to = out + 10 * i;
  to[0] = a + b, to[1] = __hsub(a, b), to[2] = a * b, to[3] = __hfma(a, b, c), to[4] = __hadd_sat(a, b);
  to[5] = __hneg(__habs(a)), to[6] = __hmin(a, b), to[7] = __hmax(a, c), to[8] = __float2half_rz(__half2float(a) * 1.1f);
  to[9] = __hfma_relu(a, b, c);
  const __half2 p = __halves2half2(a, b), q = __halves2half2(b, c);
  const __half2 r = __hfma2(p, q, __hmul2(p, p));
  wide[4 * i] = __low2float(r), wide[4 * i + 1] = __high2float(r);
  wide[4 * i + 2] = __half2float(hsqrt(__habs(a))), wide[4 * i + 3] = __half2float(a / b);
  flags[i] = __hlt(a, b) | __heq(a, a) << 1 | __hgt(b, c) << 2 | __hisnan(a) << 3 | __hbge2(p, q) << 4 |
             (__half2int_rn(c) & 0xff) << 8 | (unsigned)__half_as_ushort(__int2half_rn(i - 100)) << 16;
}
