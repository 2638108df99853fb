// redux: sums, extremes and bits of a warp or of the lanes that a mask names.
extern "C" __global__ void warp_reductions(const unsigned* x, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], lane = threadIdx.x % 32;
  unsigned* to = out + 8 * i;
  to[0] = __reduce_add_sync(~0u, v), to[1] = __reduce_min_sync(~0u, v), to[2] = __reduce_max_sync(~0u, (int)v);
  to[3] = __reduce_and_sync(~0u, v), to[4] = __reduce_or_sync(~0u, v), to[5] = __reduce_xor_sync(~0u, v);
  to[6] = __reduce_min_sync(~0u, (int)v);
  const unsigned mask = __ballot_sync(~0u, lane % 5 < 2);
  to[7] = 0;
  if (lane % 5 < 2) to[7] = __reduce_add_sync(mask, v);
}
