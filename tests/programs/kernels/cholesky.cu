// Cholesky factors of many 6 x 6 matrices, one per thread, the matrix in a local array with loops that stay loops.
constexpr int N = 6;

extern "C" __global__ void cholesky(const float* a, float* l, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  float m[N][N];
#pragma unroll 1
  for (int i = 0; i < N * N; ++i) m[i / N][i % N] = a[i * count + at];
#pragma unroll 1
  for (int j = 0; j < N; ++j) {
#pragma unroll 1
    for (int k = 0; k < j; ++k) m[j][j] -= m[j][k] * m[j][k];
    m[j][j] = sqrtf(m[j][j]);
#pragma unroll 1
    for (int i = j + 1; i < N; ++i) {
#pragma unroll 1
      for (int k = 0; k < j; ++k) m[i][j] -= m[i][k] * m[j][k];
      m[i][j] /= m[j][j];
    }
  }
#pragma unroll 1
  for (int i = 0; i < N * N; ++i) l[i * count + at] = i % N > i / N ? 0 : m[i / N][i % N];
}
