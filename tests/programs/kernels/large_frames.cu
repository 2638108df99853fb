// Structures by value through calls that are not inlined: parameters, results, and an array that is returned.
struct matrix {
  float m[4][4];
};
struct pair {
  long long first;
  unsigned char second;
};

__device__ __noinline__ matrix product(matrix a, const matrix& b) {
  matrix r;
  for (int i = 0; i < 16; ++i) {
    r.m[i / 4][i % 4] = 0;
    for (int k = 0; k < 4; ++k) r.m[i / 4][i % 4] = fmaf(a.m[i / 4][k], b.m[k][i % 4], r.m[i / 4][i % 4]);
  }
  return r;
}
__device__ __noinline__ pair split(double v, int shift) { return {(long long)v >> shift, (unsigned char)(v / 3)}; }

extern "C" __global__ void large_frames(const matrix* x, matrix* y, pair* pairs, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  matrix power = x[i];
  for (unsigned k = 0; k < i % 4; ++k) power = product(power, x[i]);
  y[i] = power;
  pairs[i] = split(fabs((double)x[i].m[1][2]) * 300, i % 5);
}
