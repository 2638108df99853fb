// Haar wavelet transform of integers (lifting, exactly reversible), one row per block, and its inverse.
extern "C" __global__ void haar(int* x, int levels) {
  extern __shared__ int row[];
  int* out = x + blockIdx.x * 2 * blockDim.x;
  const int t = threadIdx.x;
  row[t] = out[t], row[t + blockDim.x] = out[t + blockDim.x];
  for (int level = 0, half = blockDim.x; level < levels; ++level, half /= 2) {
    __syncthreads();
    int sum = 0, difference = 0;
    if (t < half) difference = row[2 * t + 1] - row[2 * t], sum = row[2 * t] + (difference >> 1);
    __syncthreads();
    if (t < half) row[t] = sum, row[half + t] = difference;
  }
  __syncthreads();
  out[t] = row[t], out[t + blockDim.x] = row[t + blockDim.x];
}

extern "C" __global__ void haar_inverse(int* x, int levels) {
  extern __shared__ int row[];
  int* out = x + blockIdx.x * 2 * blockDim.x;
  const int t = threadIdx.x;
  row[t] = out[t], row[t + blockDim.x] = out[t + blockDim.x];
  for (int level = levels - 1; level >= 0; --level) {
    const int half = blockDim.x >> level;
    __syncthreads();
    int even = 0, odd = 0;
    if (t < half) even = row[t] - (row[half + t] >> 1), odd = even + row[half + t];
    __syncthreads();
    if (t < half) row[2 * t] = even, row[2 * t + 1] = odd;
  }
  __syncthreads();
  out[t] = row[t], out[t + blockDim.x] = row[t + blockDim.x];
}
