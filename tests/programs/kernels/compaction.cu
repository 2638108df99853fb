// Stream compaction that keeps the order within a warp: one atomic per warp, ranks from the ballot.
extern "C" __global__ void compaction(const int* x, int* kept, unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const int v = i < n ? x[i] : 0;
  const bool keep = v > 0;
  const unsigned votes = __ballot_sync(~0u, keep);
  unsigned base = 0;
  if (lane == 0 && votes) base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(~0u, base, 0);
  if (keep) kept[base + __popc(votes & ((1u << lane) - 1))] = v;
}
