// Points in the unit square by a xorshift generator per thread; the hits of a block are added up by its votes.
extern "C" __global__ void monte_carlo_pi(const unsigned long long* seeds, unsigned long long* hits, unsigned points) {
  __shared__ unsigned block_hits;
  if (threadIdx.x == 0) block_hits = 0;
  __syncthreads();
  unsigned long long s = seeds[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned mine = 0;
  for (unsigned k = 0; k < points; ++k) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    const float x = (unsigned)(s & 0xffff) / 65536.0f, y = (unsigned)(s >> 48) / 65536.0f;
    const unsigned in = __ballot_sync(~0u, __fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)) < 1.0f);
    if (threadIdx.x % 32 == 0) mine += __popc(in);
  }
  if (mine) atomicAdd(&block_hits, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(hits, (unsigned long long)block_hits);
}
