// Odd-even transposition of any number of values in one block; stops when a round of two changes nothing.
extern "C" __global__ void odd_even_sort(short* x, unsigned n, unsigned* rounds) {
  extern __shared__ short tile[];
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) tile[i] = x[i];
  __syncthreads();
  unsigned count = 0;
  int changed = 1;
  while (changed) {
    changed = 0;
    for (unsigned parity = 0; parity < 2; ++parity) {
      for (unsigned i = 2 * threadIdx.x + parity; i + 1 < n; i += 2 * blockDim.x) {
        const short a = tile[i], b = tile[i + 1];
        if (b < a) tile[i] = b, tile[i + 1] = a, changed = 1;
      }
      __syncthreads();
    }
    changed = __syncthreads_or(changed);
    ++count;
  }
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) x[i] = tile[i];
  if (threadIdx.x == 0) *rounds = count;
}
