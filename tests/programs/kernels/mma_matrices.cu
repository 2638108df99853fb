// mma.sync by inline PTX: fragments of halves by ldmatrix (plain and transposed), bytes and bits by hand.
// nvcc: -lineinfo
#include <cuda_fp16.h>

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

// D (16 x 8) = A (16 x 16, rows) * B (16 x 8, rows)
extern "C" __global__ void mma_half(const uint4* a, const uint4* b, float* d) {
  __shared__ __align__(16) __half ta[16][24], tb[16][8];
  const unsigned t = threadIdx.x;
  *(uint4*)&ta[t / 2][t % 2 * 8] = a[t];
  if (t < 16) *(uint4*)&tb[t][0] = b[t];
  __syncwarp();
  unsigned fa[4], fb[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
               : "r"(shared_address(&ta[t % 16][t / 16 * 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(fb[0]), "=r"(fb[1])
               : "r"(shared_address(&tb[t % 16][0])));
  float c[4] = {0, 0, 0, 0};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  float* to = d + t / 4 * 8 + t % 4 * 2;
  to[0] = c[0], to[1] = c[1], to[64] = c[2], to[65] = c[3];
}

// D (16 x 8) = C + A (16 x 32 bytes, rows) * B (32 x 8 bytes, columns)
extern "C" __global__ void mma_bytes(const unsigned* a, const unsigned* b, int* d) {
  const unsigned t = threadIdx.x, row = t / 4, part = t % 4;
  int c[4] = {(int)t, 1, -5, 1000};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[row * 8 + part]), "r"(a[(row + 8) * 8 + part]), "r"(a[row * 8 + part + 4]), "r"(a[(row + 8) * 8 + part + 4]),
        "r"(b[row * 8 + part]), "r"(b[row * 8 + part + 4]));
  int* to = d + row * 8 + part * 2;
  to[0] = c[0], to[1] = c[1], to[64] = c[2], to[65] = c[3];
}

// D (8 x 8) counts the bits in which rows of A and columns of B, 128 bits each, are both one.
extern "C" __global__ void mma_bits(const unsigned* a, const unsigned* b, int* d) {
  const unsigned t = threadIdx.x;
  int c[2];
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%4, %4};"
               : "=r"(c[0]), "=r"(c[1])
               : "r"(a[t]), "r"(b[t]), "r"(0));
  d[t / 4 * 8 + t % 4 * 2] = c[0], d[t / 4 * 8 + t % 4 * 2 + 1] = c[1];
}
