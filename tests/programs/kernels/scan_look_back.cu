// Single-pass inclusive scan: a block publishes its sum, then looks back over the blocks before it until one has
// published everything up to its end. State and value travel in one 64-bit word.
constexpr unsigned long long has_sum = 1ull << 62, has_prefix = 2ull << 62;

extern "C" __global__ void scan_look_back(const unsigned* x, unsigned* y, unsigned long long* states, unsigned* ticket,
                                          unsigned n) {
  __shared__ unsigned warp_sums[4], block, before;
  const unsigned t = threadIdx.x, lane = t % 32;
  if (t == 0) block = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned i = block * 128 + t;
  unsigned v = i < n ? x[i] : 0;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, v, step);
    if (lane >= step) v += left;
  }
  if (lane == 31) warp_sums[t / 32] = v;
  __syncthreads();
  for (unsigned w = 0; w < t / 32; ++w) v += warp_sums[w];
  if (t == 127) {
    unsigned sum = 0;
    if (block > 0) {
      atomicExch(&states[block], has_sum | v);
      for (unsigned b = block; b-- > 0;) {
        unsigned long long state;
        do state = atomicAdd(&states[b], 0ull);
        while (state == 0);
        sum += (unsigned)state;
        if (state & has_prefix) break;
      }
    }
    atomicExch(&states[block], has_prefix | (sum + v));
    before = sum;
  }
  __syncthreads();
  if (i < n) y[i] = before + v;
}
