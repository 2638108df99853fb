// 256 x 256 -> 512 bits, one product per thread, with carry chains in inline PTX; and a sum with carry.
// nvcc: -lineinfo
extern "C" __global__ void big_multiply(const unsigned* a, const unsigned* b, unsigned* product, unsigned* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r[16] = {};
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const unsigned v = b[8 * i + j];
    unsigned carry;
    asm("mad.lo.cc.u32 %0, %1, %2, %0;" : "+r"(r[j]) : "r"(a[8 * i]), "r"(v));
#pragma unroll
    for (int k = 1; k < 8; ++k) asm volatile("madc.lo.cc.u32 %0, %1, %2, %0;" : "+r"(r[j + k]) : "r"(a[8 * i + k]), "r"(v));
    asm volatile("addc.u32 %0, 0, 0;" : "=r"(carry));
    asm volatile("mad.hi.cc.u32 %0, %1, %2, %0;" : "+r"(r[j + 1]) : "r"(a[8 * i]), "r"(v));
#pragma unroll
    for (int k = 1; k < 7; ++k)
      asm volatile("madc.hi.cc.u32 %0, %1, %2, %0;" : "+r"(r[j + k + 1]) : "r"(a[8 * i + k]), "r"(v));
    asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r[j + 8]) : "r"(a[8 * i + 7]), "r"(v), "r"(carry));
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) product[16 * i + k] = r[k];
  unsigned s[9];
  asm("{\n\t"
      ".reg .u32 low;\n\t"
      "add.cc.u32 low, %9, %17;\n\t"
      "mov.u32 %0, low;\n\t"
      "addc.cc.u32 %1, %10, %18;\n\t"
      "addc.cc.u32 %2, %11, %19;\n\t"
      "addc.cc.u32 %3, %12, %20;\n\t"
      "addc.cc.u32 %4, %13, %21;\n\t"
      "addc.cc.u32 %5, %14, %22;\n\t"
      "addc.cc.u32 %6, %15, %23;\n\t"
      "addc.cc.u32 %7, %16, %24;\n\t"
      "addc.u32 %8, 0, 0;\n\t"
      "}"
      : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3]), "=r"(s[4]), "=r"(s[5]), "=r"(s[6]), "=r"(s[7]), "=r"(s[8])
      : "r"(a[8 * i]), "r"(a[8 * i + 1]), "r"(a[8 * i + 2]), "r"(a[8 * i + 3]), "r"(a[8 * i + 4]), "r"(a[8 * i + 5]),
        "r"(a[8 * i + 6]), "r"(a[8 * i + 7]), "r"(b[8 * i]), "r"(b[8 * i + 1]), "r"(b[8 * i + 2]), "r"(b[8 * i + 3]),
        "r"(b[8 * i + 4]), "r"(b[8 * i + 5]), "r"(b[8 * i + 6]), "r"(b[8 * i + 7]));
#pragma unroll
  for (int k = 0; k < 9; ++k) sum[9 * i + k] = s[k];
}
