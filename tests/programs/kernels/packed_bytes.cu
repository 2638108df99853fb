// Operations on four bytes or two halves of a word at a time: dot products, differences, saturating sums, comparisons.
extern "C" __global__ void packed_bytes(const unsigned* x, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 >= n) return;
  const unsigned a = x[i], b = x[i + 1], c = x[i + 2];
  unsigned* to = out + 12 * i;
  to[0] = (unsigned)__dp4a((int)a, (int)b, (int)c), to[1] = __dp4a(a, b, c);
  to[2] = (unsigned)__dp2a_lo((int)a, (int)b, (int)c), to[3] = __dp2a_hi(a, b, c);
  to[4] = __vabsdiffu4(a, b), to[5] = __vsadu4(a, b), to[6] = __vaddus4(a, b), to[7] = __vcmpgtu4(a, b);
  to[8] = __vadd2(a, b), to[9] = __vmaxs2(a, b), to[10] = __vsubss2(a, b), to[11] = __vavgu4(a, b);
}
