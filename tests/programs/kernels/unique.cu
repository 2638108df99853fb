// Distinct values of a sorted array and how long each run is (run-length encoding), in one block with a scan.
extern "C" __global__ void unique(const unsigned char* x, unsigned char* values, unsigned* lengths, unsigned* count,
                                  unsigned n) {
  __shared__ unsigned warp_heads[8], starts[1025];
  unsigned done = 0;
  for (unsigned first = 0; first < n; first += blockDim.x) {
    const unsigned i = first + threadIdx.x;
    const bool is_head = i < n && (i == 0 || x[i] != x[i - 1]);
    const unsigned votes = __ballot_sync(~0u, is_head);
    if (threadIdx.x % 32 == 0) warp_heads[threadIdx.x / 32] = __popc(votes);
    __syncthreads();
    unsigned rank = done + __popc(votes & ((1u << threadIdx.x % 32) - 1)), all = done;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) {
      if (w < threadIdx.x / 32) rank += warp_heads[w];
      all += warp_heads[w];
    }
    if (is_head) values[rank] = x[i], starts[rank] = i;
    done = all;
    __syncthreads();
  }
  if (threadIdx.x == 0) *count = done, starts[done] = n;
  __syncthreads();
  for (unsigned r = threadIdx.x; r < done; r += blockDim.x) lengths[r] = starts[r + 1] - starts[r];
}
