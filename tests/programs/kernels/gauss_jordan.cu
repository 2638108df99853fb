// Inverse by Gauss-Jordan with partial pivoting, one block per matrix, the pivot found by a warp.
constexpr int N = 24, W = 2 * N;

extern "C" __global__ void gauss_jordan(const double* a, double* inverse) {
  __shared__ double m[N][W], factors[N];
  __shared__ int pivot;
  const int t = threadIdx.x;
  a += blockIdx.x * N * N, inverse += blockIdx.x * N * N;
  for (int i = t; i < N * W; i += blockDim.x) m[i / W][i % W] = i % W < N ? a[i / W * N + i % W] : i % W - N == i / W;
  for (int k = 0; k < N; ++k) {
    __syncthreads();
    if (t < 32) {
      double most = t >= k && t < N ? fabs(m[t][k]) : -1;
      int best = t;
      for (int step = 16; step > 0; step /= 2) {
        const double other = __shfl_down_sync(~0u, most, step);
        const int where = __shfl_down_sync(~0u, best, step);
        if (other > most) most = other, best = where;
      }
      if (t == 0) pivot = best;
    }
    __syncthreads();
    if (pivot != k) {
      for (int c = t; c < W; c += blockDim.x) {
        const double kept = m[k][c];
        m[k][c] = m[pivot][c];
        m[pivot][c] = kept;
      }
      __syncthreads();
    }
    const double scale = 1 / m[k][k];
    if (t < N) factors[t] = m[t][k];
    __syncthreads();
    for (int c = t; c < W; c += blockDim.x) m[k][c] *= scale;
    __syncthreads();
    for (int i = t; i < N * W; i += blockDim.x)
      if (i / W != k) m[i / W][i % W] -= factors[i / W] * m[k][i % W];
  }
  __syncthreads();
  for (int i = t; i < N * N; i += blockDim.x) inverse[i] = m[i / N][N + i % N];
}
