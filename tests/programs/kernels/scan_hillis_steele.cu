// Inclusive scan of a block, log n passes over two buffers.
// clang: -O2
extern "C" __global__ void scan_hillis_steele(const unsigned* x, unsigned* y, unsigned n) {
  __shared__ unsigned buffer[2][128];
  const unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
  unsigned now = 0;
  buffer[0][t] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < 128; step *= 2) {
    const unsigned sum = t >= step ? buffer[now][t] + buffer[now][t - step] : buffer[now][t];
    now = 1 - now;
    buffer[now][t] = sum;
    __syncthreads();
  }
  if (i < n) y[i] = buffer[now][t];
}
