// Each rounding mode of each operation, in both precisions.
extern "C" __global__ void directed_rounding(const float* x, const double* d, float* y, double* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1) return;
  const float a = x[i], b = x[i + 1];
  y[i * 12 + 0] = __fadd_ru(a, b), y[i * 12 + 1] = __fadd_rd(a, b), y[i * 12 + 2] = __fadd_rz(a, b);
  y[i * 12 + 3] = __fmul_ru(a, b), y[i * 12 + 4] = __fmul_rd(a, b), y[i * 12 + 5] = __fmul_rz(a, b);
  y[i * 12 + 6] = __fdiv_ru(a, b), y[i * 12 + 7] = __fdiv_rd(a, b), y[i * 12 + 8] = __fdiv_rz(a, b);
  y[i * 12 + 9] = __double2float_ru(d[i]), y[i * 12 + 10] = __int2float_rd((int)(a * 1e8f)),
              y[i * 12 + 11] = __fsqrt_rz(fabsf(a));
  z[i * 6 + 0] = __dadd_ru(d[i], d[i + 1]), z[i * 6 + 1] = __dadd_rd(d[i], d[i + 1]);
  z[i * 6 + 2] = __dmul_ru(d[i], d[i + 1]), z[i * 6 + 3] = __ddiv_rz(d[i], d[i + 1]);
  z[i * 6 + 4] = __fma_rd(d[i], d[i + 1], d[i]), z[i * 6 + 5] = __dsqrt_ru(fabs(d[i]));
}
