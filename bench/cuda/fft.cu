// fft of kernels/fft.hpp for lines of 64 and more complex numbers: Stockham's method, four numbers in each thread, stages of radix 4
// that exchange them through swizzled shared memory, and one of radix 2 where the length is 2 * 4^k.
namespace {

// Where number `at` of a block lies: writes with strides of 4, 16 and 64 meet no bank twice.
__device__ __forceinline__ unsigned swizzled(unsigned at) {
  const unsigned two = at / 32 % 4;
  return at ^ two ^ two << 2 ^ (two >> 1) << 4;
}

template <bool Inverse> struct numbers {
  float2 v[4];

  __device__ __forceinline__ void turn(int r, float2 root) {
    const float c = root.x, s = Inverse ? -root.y : root.y, a = v[r].x, b = v[r].y;
    v[r].x = fmaf(a, c, -(b * s));
    v[r].y = fmaf(a, s, b * c);
  }
  __device__ __forceinline__ void add_and_subtract(int p, int q) {
    const float2 a = v[p], b = v[q];
    v[p] = make_float2(a.x + b.x, a.y + b.y);
    v[q] = make_float2(a.x - b.x, a.y - b.y);
  }
  __device__ __forceinline__ void transform() {
    add_and_subtract(0, 2);
    add_and_subtract(1, 3);
    add_and_subtract(0, 1);
    const float2 a = v[2], b = Inverse ? make_float2(-v[3].y, v[3].x) : make_float2(v[3].y, -v[3].x);
    v[2] = v[1];
    v[1] = make_float2(a.x + b.x, a.y + b.y);
    v[3] = make_float2(a.x - b.x, a.y - b.y);
  }
};

template <unsigned N, bool Inverse>
__device__ __forceinline__ void transform_lines(const float* __restrict__ x, unsigned ldx, const float2* __restrict__ roots,
                                                float* __restrict__ y, unsigned ldy, unsigned lines) {
  constexpr unsigned quarter = N / 4, in_block = 1024 / N;
  __shared__ float real[1024], imaginary[1024];
  const unsigned thread = threadIdx.x, own = thread % quarter, of_block = thread / quarter;
  const unsigned line = blockIdx.x * in_block + of_block;
  numbers<Inverse> n = {};
  if (line < lines)
#pragma unroll
    for (unsigned r = 0; r < 4; ++r)
      n.v[r] = *reinterpret_cast<const float2*>(x + static_cast<size_t>(line) * ldx + (own + r * quarter) * 2);
  constexpr bool is_even = (N & 0x55555555u) != 0;
#pragma unroll
  for (unsigned size = 1; size * 4 <= N; size *= 4) {
    if (size > 1)
#pragma unroll
      for (unsigned r = 0; r < 3; ++r) n.turn(r + 1, __ldg(&roots[size - 4 + r * size + thread % size]));
    n.transform();
    if (size * 4 < N) {
      if (size > 1) __syncthreads();
#pragma unroll
      for (unsigned r = 0; r < 4; ++r) {
        const unsigned at = swizzled(thread / size * (size * 4) + thread % size + r * size);
        real[at] = n.v[r].x, imaginary[at] = n.v[r].y;
      }
      __syncthreads();
#pragma unroll
      for (unsigned r = 0; r < 4; ++r) {
        const unsigned at = swizzled(of_block * N + own + r * quarter);
        n.v[r] = make_float2(real[at], imaginary[at]);
      }
    }
  }
  if (!is_even)
#pragma unroll
    for (unsigned p = 0; p < 2; ++p) {
      n.turn(p + 2, __ldg(&roots[N / 2 - 4 + own + p * quarter]));
      n.add_and_subtract(p, p + 2);
    }
  if (line < lines)
#pragma unroll
    for (unsigned r = 0; r < 4; ++r)
      *reinterpret_cast<float2*>(y + static_cast<size_t>(line) * ldy + (own + r * quarter) * 2) = n.v[r];
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256)
    fft_256(const float* x, unsigned ldx, const float2* roots, float* y, unsigned ldy, unsigned lines) {
  transform_lines<256, false>(x, ldx, roots, y, ldy, lines);
}
extern "C" __global__ void __launch_bounds__(256)
    fft_512_inverse(const float* x, unsigned ldx, const float2* roots, float* y, unsigned ldy, unsigned lines) {
  transform_lines<512, true>(x, ldx, roots, y, ldy, lines);
}
