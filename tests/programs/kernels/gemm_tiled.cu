// C = A * B with tiles of 16 x 16 in shared memory, in single and in double precision.
// clang: -O2
template <class T>
__device__ void gemm(const T* a, const T* b, T* c, int m, int n, int k) {
  __shared__ T ta[16][16], tb[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  T sum = 0;
  for (int first = 0; first < k; first += 16) {
    ta[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tb[y][x] = column < n && first + y < k ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += ta[y][i] * tb[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void gemm_f32(const float* a, const float* b, float* c, int m, int n, int k) {
  gemm(a, b, c, m, n, k);
}

extern "C" __global__ void gemm_f64(const double* a, const double* b, double* c, int m, int n, int k) {
  gemm(a, b, c, m, n, k);
}
