// cholesky and triangular_solve of kernels/cholesky.hpp and kernels/triangular_solve.hpp: a warp for each matrix, or for 32
// right-hand sides of one.
template <class T, int Most>
__device__ __forceinline__ void factorise(T* __restrict__ a, unsigned lda, unsigned* __restrict__ info, int n) {
  constexpr int parts = Most / 32;
  __shared__ T tile[Most][Most + 1];
  const int lane = threadIdx.x;
  T* from = a + static_cast<size_t>(blockIdx.x) * n * lda + lane;
#pragma unroll 4
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int part = 0; part < parts; ++part)
      if (lane + 32 * part <= i) tile[i][lane + 32 * part] = from[static_cast<size_t>(i) * lda + 32 * part];
  __syncwarp();
  unsigned failed = 0;
  for (int j = 0; j < n; ++j) {
    T pivot = tile[j][j], own[parts];
    bool is_below[parts];
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      const int i = lane + 32 * part;
      is_below[part] = i > j && i < n;
      own[part] = is_below[part] ? tile[i][j] : T(0);
    }
#pragma unroll 4
    for (int k = 0; k < j; ++k) {
      const T above = tile[j][k];
      pivot = fma(-above, above, pivot);
#pragma unroll
      for (int part = 0; part < parts; ++part)
        if (is_below[part]) own[part] = fma(-above, tile[lane + 32 * part][k], own[part]);
    }
    if (failed == 0 && !(pivot > T(0))) failed = j + 1;
    const T root = sqrt(pivot);
    __syncwarp();
#pragma unroll
    for (int part = 0; part < parts; ++part)
      if (is_below[part]) tile[lane + 32 * part][j] = own[part] / root;
    if (lane == 0) tile[j][j] = root;
    __syncwarp();
  }
#pragma unroll 4
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int part = 0; part < parts; ++part)
      if (lane + 32 * part <= i) from[static_cast<size_t>(i) * lda + 32 * part] = tile[i][lane + 32 * part];
  if (lane == 0) info[blockIdx.x] = failed;
}
extern "C" __global__ void __launch_bounds__(32)
    cholesky(float* __restrict__ a, unsigned lda, unsigned* __restrict__ info, unsigned n) {
  factorise<float, 32>(a, lda, info, static_cast<int>(n));
}
extern "C" __global__ void __launch_bounds__(32)
    cholesky_of_doubles(double* __restrict__ a, unsigned lda, unsigned* __restrict__ info, unsigned n) {
  factorise<double, 64>(a, lda, info, static_cast<int>(n));
}

extern "C" __global__ void __launch_bounds__(32)
    triangular_solve(const float* __restrict__ a, unsigned lda, float* __restrict__ x, unsigned ldx, unsigned n,
                     unsigned columns) {
  __shared__ float matrix[32][32], solved[32][32];
  const int lane = threadIdx.x, rows = static_cast<int>(n);
  const size_t first = static_cast<size_t>(blockIdx.y) * n;
  const float* from = a + first * lda + lane;
#pragma unroll 4
  for (int i = 0; i < rows; ++i, from += lda)
    if (lane <= i) matrix[i][lane] = *from;
  __syncwarp();
  const unsigned column = blockIdx.x * 32 + lane;
  if (column >= columns) return;
  float* own = x + first * ldx + column;
  for (int i = 0; i < rows; ++i, own += ldx) {
    float rest = *own;
#pragma unroll 4
    for (int k = 0; k < i; ++k) rest = fmaf(-matrix[i][k], solved[k][lane], rest);
    rest /= matrix[i][i];
    solved[i][lane] = rest;
    *own = rest;
  }
}
