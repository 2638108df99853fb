// Fragments of mma.sync as the figures of the PTX ISA give them: drawn, one after the other, and used, fed by ldmatrix
// from matrices whose lines lie one after the other.
// nvcc: -arch=sm_90
// Source: PTX ISA 9.0, "Matrix Fragments for mma.*". g = lane / 4, t = lane % 4; i counts the elements of a lane.
struct place {
  int row, column;
};

template <class Figure>
__device__ place* draw(place* out, int elements, Figure figure) {
#pragma unroll 1
  for (int i = 0; i < elements; ++i) out[i * 32 + threadIdx.x] = figure(threadIdx.x / 4, threadIdx.x % 4, i);
  return out + elements * 32;
}

// --- what holds what; A first, the smaller first

extern "C" __global__ void places_of_16_bits(place* out) {
  out = draw(out, 4, [](int g, int t, int i) { return place{i < 2 ? g : g + 8, t * 2 + (i & 1)}; });
  out = draw(out, 8, [](int g, int t, int i) {
    return place{i < 2 || (4 <= i && i < 6) ? g : g + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
  });
  out = draw(out, 2, [](int g, int t, int i) { return place{t * 2 + i, g}; });
  out = draw(out, 4, [](int g, int t, int i) { return place{i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g}; });
}

extern "C" __global__ void places_of_32_bits(place* out) {
  out = draw(out, 2, [](int g, int t, int i) { return place{i == 0 ? g : g + 8, t}; });
  out = draw(out, 4, [](int g, int t, int i) { return place{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4}; });
  out = draw(out, 1, [](int g, int t, int) { return place{t, g}; });
  out = draw(out, 2, [](int g, int t, int i) { return place{i == 0 ? t : t + 4, g}; });
}

extern "C" __global__ void places_of_8_bits(place* out) {
  out = draw(out, 4, [](int g, int t, int i) { return place{g, t * 4 + i}; });
  out = draw(out, 8, [](int g, int t, int i) { return place{i < 4 ? g : g + 8, t * 4 + (i & 3)}; });
  out = draw(out, 16, [](int g, int t, int i) {
    return place{i < 4 || (8 <= i && i < 12) ? g : g + 8, i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
  });
  out = draw(out, 4, [](int g, int t, int i) { return place{t * 4 + i, g}; });
  out = draw(out, 8, [](int g, int t, int i) { return place{i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g}; });
}

extern "C" __global__ void places_of_4_bits(place* out) {
  out = draw(out, 8, [](int g, int t, int i) { return place{g, t * 8 + i}; });
  out = draw(out, 16, [](int g, int t, int i) { return place{i < 8 ? g : g + 8, t * 8 + (i & 7)}; });
  out = draw(out, 32, [](int g, int t, int i) {
    return place{i < 8 || (16 <= i && i < 24) ? g : g + 8, i < 16 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32};
  });
  out = draw(out, 8, [](int g, int t, int i) { return place{t * 8 + (i & 7), g}; });
  out = draw(out, 16, [](int g, int t, int i) { return place{i < 8 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32, g}; });
}

extern "C" __global__ void places_of_1_bit(place* out) {
  out = draw(out, 32, [](int g, int t, int i) { return place{g, t * 32 + i}; });
  out = draw(out, 64, [](int g, int t, int i) { return place{i < 32 ? g : g + 8, t * 32 + (i & 0x1f)}; });
  out = draw(out, 128, [](int g, int t, int i) {
    return place{i < 32 || (64 <= i && i < 96) ? g : g + 8, i < 64 ? t * 32 + (i & 0x1f) : t * 32 + (i & 0x1f) + 128};
  });
  out = draw(out, 32, [](int g, int t, int i) { return place{t * 32 + (i & 0x1f), g}; });
  out = draw(out, 64, [](int g, int t, int i) { return place{i < 32 ? t * 32 + (i & 0x1f) : t * 32 + (i & 0x1f) + 128, g}; });
}

// Of doubles the products use them too.
struct a_of_4 {
  static constexpr int elements = 2, depth = 4, rows = 16;
  __device__ place operator()(int g, int t, int i) const { return {i == 0 ? g : g + 8, t}; }
};
struct a_of_8 {
  static constexpr int elements = 4, depth = 8, rows = 16;
  __device__ place operator()(int g, int t, int i) const { return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4}; }
};
struct a_of_16 {
  static constexpr int elements = 8, depth = 16, rows = 16;
  __device__ place operator()(int g, int t, int i) const {
    return {i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
  }
};
struct a_of_eight_rows {
  static constexpr int elements = 1, depth = 4, rows = 8;
  __device__ place operator()(int g, int t, int) const { return {g, t}; }
};
struct b_of_4 {
  static constexpr int elements = 1;
  __device__ place operator()(int g, int t, int) const { return {t, g}; }
};
struct b_of_8 {
  static constexpr int elements = 2;
  __device__ place operator()(int g, int t, int i) const { return {i == 0 ? t : t + 4, g}; }
};
struct b_of_16 {
  static constexpr int elements = 4;
  __device__ place operator()(int g, int t, int i) const { return {i * 4 + t, g}; }
};
struct sums_of_8 {
  static constexpr int elements = 2;
  __device__ place operator()(int g, int t, int i) const { return {g, t * 2 + (i & 1)}; }
};
struct sums_of_16 {
  static constexpr int elements = 4;
  __device__ place operator()(int g, int t, int i) const { return {i < 2 ? g : g + 8, t * 2 + (i & 1)}; }
};

extern "C" __global__ void places_of_doubles(place* out) {
  out = draw(out, 1, a_of_eight_rows());
  out = draw(out, 2, a_of_4());
  out = draw(out, 4, a_of_8());
  out = draw(out, 8, a_of_16());
  out = draw(out, 1, b_of_4());
  out = draw(out, 2, b_of_8());
  out = draw(out, 4, b_of_16());
}

extern "C" __global__ void places_of_sums(place* out) {
  out = draw(out, 2, sums_of_8());
  out = draw(out, 4, sums_of_16());
}

// --- which chunk of which row each four bits of sparse metadata describe; -1 where nobody looks at a lane. In the figures
// "T0: [3..0]" stands in the cell of the chunk that bits 3 to 0 of thread 0 describe.

// Elements of 16 and 32 bits, 4 or 8 chunks in a row.
struct wide_4 {
  int f;
  __device__ place operator()(int g, int t, int i) const { return t == f ? place{i < 4 ? g : g + 8, i & 3} : place{-1, -1}; }
};
struct wide_8 {
  int f;
  __device__ place operator()(int g, int t, int i) const {
    if (t == 2 * f) return place{i < 4 ? g : g + 8, i & 3};
    if (t == 2 * f + 1) return place{i < 4 ? g : g + 8, (i & 3) + 4};
    return place{-1, -1};
  }
};
// Narrower elements, 8 or 16 chunks.
struct narrow_8 {
  int f;
  __device__ place operator()(int g, int t, int i) const {
    return t == 2 * f ? place{g, i} : t == 2 * f + 1 ? place{g + 8, i} : place{-1, -1};
  }
};
struct narrow_16 {
  __device__ place operator()(int g, int t, int i) const { return {t == 0 || t == 2 ? g : g + 8, t < 2 ? i : i + 8}; }
};

extern "C" __global__ void places_of_wide_metadata(place* out) {
  for (int f = 0; f < 4; ++f) out = draw(out, 8, wide_4{f});
  for (int f = 0; f < 2; ++f) out = draw(out, 8, wide_8{f});
}

extern "C" __global__ void places_of_narrow_metadata(place* out) {
  for (int f = 0; f < 2; ++f) out = draw(out, 8, narrow_8{f});
  out = draw(out, 8, narrow_16());
}

// --- D = C + A x B for every pair of types; A by rows, B by columns, C and D by rows, an element of them in each word

template <int Lines, int Bytes>
struct operand {
  static constexpr int words = Bytes / 4, matrices = Lines / 8 * (Bytes / 16);
  unsigned r[matrices];

  // By ldmatrix: 8 lines on until the lines end, then 16 bytes along.
  __device__ explicit operand(const unsigned* from) {
    __shared__ __align__(16) unsigned tile[Lines * words];
    for (int i = threadIdx.x; i < Lines * words; i += 32) tile[i] = from[i];
    __syncwarp();
    const int matrix = threadIdx.x / 8 % matrices, line = matrix % (Lines / 8) * 8 + threadIdx.x % 8;
    const auto row = (unsigned)__cvta_generic_to_shared(tile + line * words + matrix / (Lines / 8) * 4);
    if constexpr (matrices == 1)
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row) : "memory");
    else if constexpr (matrices == 2)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory");
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(row)
                   : "memory");
    __syncwarp();
  }
};

template <class T, int Count>
struct sums {
  T r[Count];

  __device__ static int at(int i) {
    const place p = sums_of_16()(threadIdx.x / 4, threadIdx.x % 4, i);
    return p.row * 8 + p.column;
  }
  __device__ explicit sums(const void* c) {
    for (int i = 0; i < Count; ++i) r[i] = ((const T*)c)[at(i)];
  }
  __device__ void store(void* d) const {
    for (int i = 0; i < Count; ++i) ((T*)d)[at(i)] = r[i];
  }
};

// Two halves in a register, the left one low.
struct half_sums {
  unsigned r[2];

  __device__ explicit half_sums(const unsigned* c) {
    for (int i = 0; i < 2; ++i) r[i] = c[sums<int, 4>::at(2 * i)] | c[sums<int, 4>::at(2 * i + 1)] << 16;
  }
  __device__ void store(unsigned* d) const {
    for (int i = 0; i < 4; ++i) d[sums<int, 4>::at(i)] = r[i / 2] >> i % 2 * 16 & 0xffff;
  }
};

using floats = sums<float, 4>;
using integers = sums<int, 4>;
using few_integers = sums<int, 2>;

#define ONE_PRODUCT(kind, rows, ...) \
  {                                  \
    kind s(c);                       \
    asm volatile(__VA_ARGS__);       \
    s.store(d);                      \
    d += rows * 8;                   \
  }
#define LARGE_IN "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1])
#define SMALL_IN "r"(a.r[0]), "r"(a.r[1]), "r"(b.r[0])
#define LARGE_4 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
#define SMALL_4 " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
#define LARGE_2 " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
#define SMALL_2 " {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
#define LEAST_2 " {%0, %1}, {%2}, {%3}, {%0, %1};"

#define MMA(shape, types) "mma.sync.aligned." shape ".row.col." types
#define FOUR(letter) "+" letter(s.r[0]), "+" letter(s.r[1]), "+" letter(s.r[2]), "+" letter(s.r[3])
#define FLOATS(size, shape, types) ONE_PRODUCT(floats, 16, MMA(shape, types) size##_4 : FOUR("f") : size##_IN)
#define INTEGERS(size, shape, types) ONE_PRODUCT(integers, 16, MMA(shape, types) size##_4 : FOUR("r") : size##_IN)
#define HALVES(size, shape, types) \
  ONE_PRODUCT(half_sums, 16, MMA(shape, types) size##_2 : "+r"(s.r[0]), "+r"(s.r[1]) : size##_IN)
#define FEW_INTEGERS(shape, types) \
  ONE_PRODUCT(few_integers, 8, MMA(shape, types) LEAST_2 : "+r"(s.r[0]), "+r"(s.r[1]) : "r"(a.r[0]), "r"(b.r[0]))

#define EACH_FLOAT8(size, shape)                \
  FLOATS(size, shape, "f32.e4m3.e4m3.f32")      \
  FLOATS(size, shape, "f32.e4m3.e5m2.f32")      \
  FLOATS(size, shape, "f32.e5m2.e4m3.f32")      \
  FLOATS(size, shape, "f32.e5m2.e5m2.f32")      \
  HALVES(size, shape, "f16.e4m3.e4m3.f16")      \
  HALVES(size, shape, "f16.e4m3.e5m2.f16")      \
  HALVES(size, shape, "f16.e5m2.e4m3.f16")      \
  HALVES(size, shape, "f16.e5m2.e5m2.f16")
#define EACH_BYTE(size, shape)               \
  INTEGERS(size, shape, "s32.s8.s8.s32")     \
  INTEGERS(size, shape, "s32.s8.u8.s32")     \
  INTEGERS(size, shape, "s32.u8.s8.s32")     \
  INTEGERS(size, shape, "s32.u8.u8.s32")
#define EACH_NIBBLE(size, shape)             \
  INTEGERS(size, shape, "s32.s4.s4.s32")     \
  INTEGERS(size, shape, "s32.s4.u4.s32")     \
  INTEGERS(size, shape, "s32.u4.s4.s32")     \
  INTEGERS(size, shape, "s32.u4.u4.s32")
#define EACH_BIT(size, shape)                          \
  INTEGERS(size, shape, "s32.b1.b1.s32.and.popc")      \
  INTEGERS(size, shape, "s32.b1.b1.s32.xor.popc")

// Lines of 16 bytes, 16 of A.
extern "C" __global__ void products_of_16_bytes(const unsigned* pa, const unsigned* pb, const unsigned* c, unsigned* d) {
  const operand<16, 16> a(pa);
  const operand<8, 16> b(pb);
  FLOATS(SMALL, "m16n8k8", "f32.f16.f16.f32")
  HALVES(SMALL, "m16n8k8", "f16.f16.f16.f16")
  FLOATS(SMALL, "m16n8k8", "f32.bf16.bf16.f32")
  FLOATS(SMALL, "m16n8k4", "f32.tf32.tf32.f32")
  EACH_FLOAT8(SMALL, "m16n8k16")
  EACH_BYTE(SMALL, "m16n8k16")
  EACH_NIBBLE(SMALL, "m16n8k32")
  EACH_BIT(SMALL, "m16n8k128")
}

// Lines of 32 bytes, 16 of A.
extern "C" __global__ void products_of_32_bytes(const unsigned* pa, const unsigned* pb, const unsigned* c, unsigned* d) {
  const operand<16, 32> a(pa);
  const operand<8, 32> b(pb);
  FLOATS(LARGE, "m16n8k16", "f32.f16.f16.f32")
  HALVES(LARGE, "m16n8k16", "f16.f16.f16.f16")
  FLOATS(LARGE, "m16n8k16", "f32.bf16.bf16.f32")
  FLOATS(LARGE, "m16n8k8", "f32.tf32.tf32.f32")
  EACH_FLOAT8(LARGE, "m16n8k32")
  EACH_BYTE(LARGE, "m16n8k32")
  EACH_NIBBLE(LARGE, "m16n8k64")
  EACH_BIT(LARGE, "m16n8k256")
}

// Lines of 16 bytes, 8 of A.
extern "C" __global__ void products_of_8_rows(const unsigned* pa, const unsigned* pb, const unsigned* c, unsigned* d) {
  const operand<8, 16> a(pa), b(pb);
  FEW_INTEGERS("m8n8k16", "s32.s8.s8.s32")
  FEW_INTEGERS("m8n8k16", "s32.s8.u8.s32")
  FEW_INTEGERS("m8n8k16", "s32.u8.s8.s32")
  FEW_INTEGERS("m8n8k16", "s32.u8.u8.s32")
  FEW_INTEGERS("m8n8k32", "s32.s4.s4.s32")
  FEW_INTEGERS("m8n8k32", "s32.s4.u4.s32")
  FEW_INTEGERS("m8n8k32", "s32.u4.s4.s32")
  FEW_INTEGERS("m8n8k32", "s32.u4.u4.s32")
  FEW_INTEGERS("m8n8k128", "s32.b1.b1.s32.and.popc")
  FEW_INTEGERS("m8n8k128", "s32.b1.b1.s32.xor.popc")
}

// --- the same of a sparse A, of which half is kept; `bits` holds four bits in each byte, 16 bytes in a row

template <class Figure>
__device__ unsigned metadata(const unsigned char* bits, Figure figure) {
  unsigned out = 0;
  for (int i = 0; i < 8; ++i) {
    const place p = figure(threadIdx.x / 4, threadIdx.x % 4, i);
    if (p.row >= 0) out |= bits[p.row * 16 + p.column] << 4 * i;
  }
  return out;
}

#define SPARSE_LARGE_IN LARGE_IN, "r"(b.r[2]), "r"(b.r[3]), "r"(e)
#define SPARSE_SMALL_IN SMALL_IN, "r"(b.r[1]), "r"(e)
#define SPARSE_LARGE_4 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, "
#define SPARSE_SMALL_4 " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, "
#define SPARSE_LARGE_2 " {%0, %1}, {%2, %3, %4, %5}, {%6, %7, %8, %9}, {%0, %1}, %10, "
#define SPARSE_SMALL_2 " {%0, %1}, {%2, %3}, {%4, %5}, {%0, %1}, %6, "
#define SPARSE(shape, types) "mma.sp::ordered_metadata.sync.aligned." shape ".row.col." types
#define SPARSE_FLOATS(size, shape, types, f) \
  ONE_PRODUCT(floats, 16, SPARSE(shape, types) SPARSE_##size##_4 f ";" : FOUR("f") : SPARSE_##size##_IN)
#define SPARSE_INTEGERS(size, shape, types, f) \
  ONE_PRODUCT(integers, 16, SPARSE(shape, types) SPARSE_##size##_4 f ";" : FOUR("r") : SPARSE_##size##_IN)
#define SPARSE_HALVES(size, shape, types, f) \
  ONE_PRODUCT(half_sums, 16, SPARSE(shape, types) SPARSE_##size##_2 f ";" : "+r"(s.r[0]), "+r"(s.r[1]) : SPARSE_##size##_IN)
#define EACH_SPARSE_BYTE(size, shape, f)                    \
  SPARSE_INTEGERS(size, shape, "s32.s8.s8.s32", f)          \
  SPARSE_INTEGERS(size, shape, "s32.s8.u8.s32", f)          \
  SPARSE_INTEGERS(size, shape, "s32.u8.s8.s32", f)          \
  SPARSE_INTEGERS(size, shape, "s32.u8.u8.s32", f)
#define EACH_SPARSE_NIBBLE(size, shape, f)                  \
  SPARSE_INTEGERS(size, shape, "s32.s4.s4.s32", f)          \
  SPARSE_INTEGERS(size, shape, "s32.s4.u4.s32", f)          \
  SPARSE_INTEGERS(size, shape, "s32.u4.s4.s32", f)          \
  SPARSE_INTEGERS(size, shape, "s32.u4.u4.s32", f)

// 16 bytes are kept of each line.
extern "C" __global__ void sparse_products_of_16_bytes(const unsigned* pa, const unsigned* pb, const unsigned char* bits,
                                                       const unsigned* c, unsigned* d) {
  const operand<16, 16> a(pa);
  const operand<8, 32> b(pb);
  unsigned e = metadata(bits, wide_4{3});
  SPARSE_FLOATS(SMALL, "m16n8k16", "f32.f16.f16.f32", "3")
  SPARSE_HALVES(SMALL, "m16n8k16", "f16.f16.f16.f16", "3")
  SPARSE_FLOATS(SMALL, "m16n8k16", "f32.bf16.bf16.f32", "3")
  SPARSE_FLOATS(SMALL, "m16n8k8", "f32.tf32.tf32.f32", "3")
  e = metadata(bits, narrow_8{1});
  EACH_SPARSE_BYTE(SMALL, "m16n8k32", "1")
  EACH_SPARSE_NIBBLE(SMALL, "m16n8k64", "1")
}

// 32 bytes are kept of each line.
extern "C" __global__ void sparse_products_of_32_bytes(const unsigned* pa, const unsigned* pb, const unsigned char* bits,
                                                       const unsigned* c, unsigned* d) {
  const operand<16, 32> a(pa);
  const operand<8, 64> b(pb);
  unsigned e = metadata(bits, wide_8{1});
  SPARSE_FLOATS(LARGE, "m16n8k32", "f32.f16.f16.f32", "1")
  SPARSE_HALVES(LARGE, "m16n8k32", "f16.f16.f16.f16", "1")
  SPARSE_FLOATS(LARGE, "m16n8k32", "f32.bf16.bf16.f32", "1")
  SPARSE_FLOATS(LARGE, "m16n8k16", "f32.tf32.tf32.f32", "1")
  e = metadata(bits, narrow_16());
  SPARSE_FLOATS(LARGE, "m16n8k64", "f32.e4m3.e4m3.f32", "0")
  SPARSE_FLOATS(LARGE, "m16n8k64", "f32.e4m3.e5m2.f32", "0")
  SPARSE_FLOATS(LARGE, "m16n8k64", "f32.e5m2.e4m3.f32", "0")
  SPARSE_FLOATS(LARGE, "m16n8k64", "f32.e5m2.e5m2.f32", "0")
  EACH_SPARSE_BYTE(LARGE, "m16n8k64", "0")
  EACH_SPARSE_NIBBLE(LARGE, "m16n8k128", "0")
}

// --- doubles, which ldmatrix does not move

template <class A, class B>
struct operands_of_doubles {
  double a[A::elements], b[B::elements];

  __device__ operands_of_doubles(const double* pa, const double* pb) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int i = 0; i < A::elements; ++i) a[i] = pa[A()(g, t, i).row * A::depth + A()(g, t, i).column];
    for (int i = 0; i < B::elements; ++i) b[i] = pb[B()(g, t, i).column * A::depth + B()(g, t, i).row];
  }
};

#define DOUBLES(A, B, shape, ...)                                                                                          \
  extern "C" __global__ void products_of_doubles_##shape(const double* pa, const double* pb, const double* c, double* d) { \
    const operands_of_doubles<A, B> x(pa, pb);                                                                             \
    sums<double, A::rows / 4> s(c);                                                                                        \
    asm volatile(MMA(#shape, "f64.f64.f64.f64") __VA_ARGS__);                                                              \
    s.store(d);                                                                                                            \
  }

DOUBLES(a_of_eight_rows, b_of_4, m8n8k4, " {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(s.r[0]), "+d"(s.r[1]) : "d"(x.a[0]), "d"(x.b[0]))
DOUBLES(a_of_4, b_of_4, m16n8k4, " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : FOUR("d") : "d"(x.a[0]), "d"(x.a[1]), "d"(x.b[0]))
DOUBLES(a_of_8, b_of_8, m16n8k8, " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : FOUR("d") : "d"(x.a[0]), "d"(x.a[1]), "d"(x.a[2]), "d"(x.a[3]), "d"(x.b[0]), "d"(x.b[1]))
DOUBLES(a_of_16, b_of_16, m16n8k16,
        " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : FOUR("d") : "d"(x.a[0]), "d"(x.a[1]), "d"(x.a[2]), "d"(x.a[3]), "d"(x.a[4]), "d"(x.a[5]), "d"(x.a[6]), "d"(x.a[7]),
          "d"(x.b[0]), "d"(x.b[1]), "d"(x.b[2]), "d"(x.b[3]))
