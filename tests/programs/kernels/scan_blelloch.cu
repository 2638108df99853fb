// Exclusive scan by an up-sweep and a down-sweep, two values per thread; then the sums of the blocks are added.
constexpr unsigned T = 128;
__device__ unsigned padded(unsigned i) { return i + i / 32; }

extern "C" __global__ void scan_blelloch(const unsigned* x, unsigned* y, unsigned* sums, unsigned n) {
  __shared__ unsigned tree[2 * T + 2 * T / 32];
  const unsigned t = threadIdx.x, first = blockIdx.x * 2 * T;
  for (unsigned k = t; k < 2 * T; k += T) tree[padded(k)] = first + k < n ? x[first + k] : 0;
  unsigned gap = 1;
  for (unsigned d = T; d > 0; d /= 2, gap *= 2) {
    __syncthreads();
    if (t < d) tree[padded(gap * (2 * t + 2) - 1)] += tree[padded(gap * (2 * t + 1) - 1)];
  }
  if (t == 0) {
    sums[blockIdx.x] = tree[padded(2 * T - 1)];
    tree[padded(2 * T - 1)] = 0;
  }
  for (unsigned d = 1; d <= T; d *= 2) {
    gap /= 2;
    __syncthreads();
    if (t < d) {
      const unsigned left = padded(gap * (2 * t + 1) - 1), right = padded(gap * (2 * t + 2) - 1);
      const unsigned kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  __syncthreads();
  for (unsigned k = t; k < 2 * T; k += T)
    if (first + k < n) y[first + k] = tree[padded(k)];
}

extern "C" __global__ void add_block_sums(unsigned* y, const unsigned* sums, unsigned n) {
  unsigned before = 0;
  for (unsigned b = 0; b < blockIdx.x; ++b) before += sums[b];
  for (unsigned k = threadIdx.x; k < 2 * T; k += T)
    if (blockIdx.x * 2 * T + k < n) y[blockIdx.x * 2 * T + k] += before;
}
