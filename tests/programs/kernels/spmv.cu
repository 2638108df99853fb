// Sparse matrix times vector: CSR with a thread per row, CSR with a warp per row, ELL by columns.
// clang: -O2
extern "C" __global__ void spmv_scalar(const unsigned* starts, const unsigned* columns, const float* values,
                                       const float* x, float* y, unsigned rows) {
  const unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (unsigned k = starts[r]; k < starts[r + 1]; ++k) sum = fmaf(values[k], x[columns[k]], sum);
  y[r] = sum;
}

extern "C" __global__ void spmv_vector(const unsigned* starts, const unsigned* columns, const float* values,
                                       const float* x, float* y, unsigned rows) {
  __shared__ float parts[4][32];
  const unsigned r = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  float sum = 0;
  if (r < rows)
    for (unsigned k = starts[r] + lane; k < starts[r + 1]; k += 32) sum = fmaf(values[k], x[columns[k]], sum);
  parts[threadIdx.y][lane] = sum;
  for (unsigned half = 16; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) parts[threadIdx.y][lane] += parts[threadIdx.y][lane + half];
  }
  if (lane == 0 && r < rows) y[r] = parts[threadIdx.y][0];
}

extern "C" __global__ void spmv_ell(const int* columns, const float* values, const float* x, float* y, unsigned rows,
                                    unsigned width) {
  const unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (unsigned k = 0; k < width; ++k) {
    const int c = columns[k * rows + r];
    if (c >= 0) sum = fmaf(values[k * rows + r], x[c], sum);
  }
  y[r] = sum;
}
