// LU factorisation without pivots of one matrix per block, in place, one column after the other.
extern "C" __global__ void lu_step(double* matrices, int n) {
  extern __shared__ double m[];
  double* matrix = matrices + blockIdx.x * n * n;
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) m[i] = matrix[i];
  for (int k = 0; k < n - 1; ++k) {
    __syncthreads();
    for (int r = k + 1 + threadIdx.x; r < n; r += blockDim.x) m[r * n + k] /= m[k * n + k];
    __syncthreads();
    const int rest = n - k - 1;
    for (int i = threadIdx.x; i < rest * rest; i += blockDim.x) {
      const int r = k + 1 + i / rest, c = k + 1 + i % rest;
      m[r * n + c] -= m[r * n + k] * m[k * n + c];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) matrix[i] = m[i];
}
