// Intrinsics that are single instructions: byte permutation, funnel shifts, averages, differences, halves of products.
extern "C" __global__ void bit_intrinsics(const unsigned* x, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 >= n) return;
  const unsigned a = x[i], b = x[i + 1], c = x[i + 2];
  unsigned* to = out + 12 * i;
  to[0] = __byte_perm(a, b, c), to[1] = __funnelshift_l(a, b, c), to[2] = __funnelshift_rc(a, b, c);
  to[3] = __uhadd(a, b), to[4] = __rhadd((int)a, (int)b), to[5] = __usad(a, b, c), to[6] = __sad((int)a, (int)b, c);
  to[7] = __umulhi(a, b), to[8] = __mulhi((int)a, (int)b), to[9] = __umul24(a, b), to[10] = __mul24((int)a, (int)b);
  to[11] = __fns(a, 0, (int)(b % 32) + 1);
}
