// Votes of a warp, whole and of the lanes that took a branch; votes of a block; which lanes are active.
extern "C" __global__ void votes(const unsigned* x, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], lane = threadIdx.x % 32;
  unsigned* to = out + 10 * i;
  to[0] = __ballot_sync(~0u, v & 1), to[1] = __any_sync(~0u, (v & 15) == 3), to[2] = __all_sync(~0u, v & 14);
  to[3] = __uni_sync(~0u, v >> 6 & 1);
  to[4] = to[5] = 0;
  if (lane % 3 == 0) {
    to[4] = __ballot_sync(0x49249249u, v & 2);
    to[5] = __activemask();
  }
  __syncwarp();
  to[6] = __syncthreads_count(v & 4), to[7] = __syncthreads_and((v & 0xff) != 7), to[8] = __syncthreads_or((v & 0xff) == 7);
  to[9] = __popc(__ballot_sync(~0u, v & 1) & ((1u << lane) - 1));
}
