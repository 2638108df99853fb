// Counts, reversals, searches and shifts of bits in words of 32 and 64 bits.
// clang: -O2
extern "C" __global__ void bit_tricks(const unsigned* x, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  const unsigned a = x[i], b = x[i + 1], s = b & 31;
  const unsigned long long w = (unsigned long long)b << 32 | a;
  unsigned* to = out + 12 * i;
  to[0] = __popc(a), to[1] = __clz((int)a), to[2] = __ffs((int)a), to[3] = __brev(a);
  to[4] = __popcll(w), to[5] = __clzll((long long)w), to[6] = (unsigned)(__brevll(w) >> 16);
  to[7] = a << s | a >> (-s & 31);
  to[8] = (unsigned)((int)a >> s), to[9] = a & -a, to[10] = (a & 0x55555555u) << 1 | (a >> 1 & 0x55555555u);
  to[11] = (unsigned)(w >> s) ^ (a == 0 ? 7u : 0u);
}
