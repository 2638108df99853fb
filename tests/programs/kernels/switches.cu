// A switch of many cases, dense and sparse, that falls through in places; and brx.idx over a table of labels.
extern "C" __global__ void switches(const unsigned* x, unsigned* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i], r = 1;
  switch (v % 16) {
    case 0: r = v * 3; break;
    case 1: r = v ^ 0xff;
    case 2: r += 7; break;
    case 3: r = __popc(v); break;
    case 4: r = v / 10; break;
    case 5: r = v % 10;
    case 6: r *= 5;
    case 7: r ^= v; break;
    case 8: return;
    case 9: r = ~v; break;
    case 10: r = v << 4; break;
    case 11: r = __brev(v); break;
    case 12: r = v >> 5; break;
    default: r = 99;
  }
  switch (v) {
    case 7: r += 1; break;
    case 1000: r += 2; break;
    case 100000: r += 3; break;
  }
  asm("{\n\t"
      ".reg .u32 index;\n\t"
      "targets: .branchtargets add_one, twice, minus, done;\n\t"
      "and.b32 index, %1, 3;\n\t"
      "brx.idx index, targets;\n\t"
      "add_one: add.u32 %0, %0, 1;\n\t"
      "bra done;\n\t"
      "twice: add.u32 %0, %0, %0;\n\t"
      "minus: sub.u32 %0, %0, 5;\n\t"
      "done:\n\t"
      "}"
      : "+r"(r)
      : "r"(v / 16));
  y[i] = r;
}
