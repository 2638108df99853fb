// Lanes with the same value, in 32 and 64 bits, and whether all have the same.
extern "C" __global__ void matches(const unsigned* x, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], lane = threadIdx.x % 32;
  unsigned* to = out + 6 * i;
  int same = -1;
  to[0] = __match_any_sync(~0u, v);
  to[1] = __match_any_sync(~0u, (unsigned long long)(v & 3) << 40);
  to[2] = __match_all_sync(~0u, v, &same), to[3] = same;
  to[4] = to[5] = 0;
  if (lane < 16) to[4] = __match_any_sync(0xffffu, v >> 1);
  else to[5] = __match_any_sync(0xffff0000u, (float)(v & 1));
}
