// Three transposes: as it comes, through a shared tile, through a padded tile.
// nvcc: -lineinfo
// clang: -O2
extern "C" __global__ void transpose_naive(const float* x, float* y, int rows, int columns) {
  const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r < rows && c < columns) y[c * rows + r] = x[r * columns + c];
}

template <int Pitch>
__device__ void transpose_through(float (&tile)[32][Pitch], const float* x, float* y, int rows, int columns) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (r + k < rows && c < columns) tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * columns + c];
  __syncthreads();
  const int c2 = blockIdx.y * 32 + threadIdx.x, r2 = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (r2 + k < columns && c2 < rows) y[(r2 + k) * rows + c2] = tile[threadIdx.x][threadIdx.y + k];
}

extern "C" __global__ void transpose_tiled(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[32][32];
  transpose_through(tile, x, y, rows, columns);
}

extern "C" __global__ void transpose_padded(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[32][33];
  transpose_through(tile, x, y, rows, columns);
}
