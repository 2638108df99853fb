// fft of kernels/fft.hpp, real_fft and its inverse of kernels/real_fft.hpp. Lines of 64 and more complex numbers: Stockham's method,
// four numbers in each thread, stages of radix 4 that exchange them through swizzled shared memory, and one of radix 2 where the
// length is 2 * 4^k.
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

// The transform of a block's lines of N numbers, of which each thread has four: its place in the line and multiples of N / 4 on.
template <unsigned N, bool Inverse>
__device__ __forceinline__ void transform_lines(numbers<Inverse>& n, const float2* __restrict__ roots) {
  constexpr unsigned quarter = N / 4;
  constexpr bool is_even = (N & 0x55555555u) != 0;
  __shared__ float real[1024], imaginary[1024];
  const unsigned thread = threadIdx.x, own = thread % quarter, of_block = thread / quarter;
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
}

// Pairs of floats of a line, to its N complex numbers and back.
template <unsigned N, bool Inverse>
__device__ __forceinline__ void load(numbers<Inverse>& n, const float* __restrict__ x, unsigned ldx, unsigned lines) {
  const unsigned line = blockIdx.x * (1024 / N) + threadIdx.x / (N / 4), own = threadIdx.x % (N / 4);
  if (line < lines)
#pragma unroll
    for (unsigned r = 0; r < 4; ++r)
      n.v[r] = *reinterpret_cast<const float2*>(x + static_cast<size_t>(line) * ldx + (own + r * (N / 4)) * 2);
}
template <unsigned N, bool Inverse>
__device__ __forceinline__ void store(const numbers<Inverse>& n, float* __restrict__ y, unsigned ldy, unsigned lines) {
  const unsigned line = blockIdx.x * (1024 / N) + threadIdx.x / (N / 4), own = threadIdx.x % (N / 4);
  if (line < lines)
#pragma unroll
    for (unsigned r = 0; r < 4; ++r)
      *reinterpret_cast<float2*>(y + static_cast<size_t>(line) * ldy + (own + r * (N / 4)) * 2) = n.v[r];
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256)
    fft_256(const float* __restrict__ x, unsigned ldx, const float2* __restrict__ roots, float* __restrict__ y, unsigned ldy,
            unsigned lines) {
  numbers<false> n = {};
  load<256>(n, x, ldx, lines);
  transform_lines<256>(n, roots);
  store<256>(n, y, ldy, lines);
}
extern "C" __global__ void __launch_bounds__(256)
    fft_512_inverse(const float* __restrict__ x, unsigned ldx, const float2* __restrict__ roots, float* __restrict__ y,
                    unsigned ldy, unsigned lines) {
  numbers<true> n = {};
  load<512>(n, x, ldx, lines);
  transform_lines<512>(n, roots);
  store<512>(n, y, ldy, lines);
}

// Lines of 256 floats as 128 complex numbers, whose even and odd parts are taken apart.
extern "C" __global__ void __launch_bounds__(256)
    real_fft_256(const float* __restrict__ x, unsigned ldx, const float2* __restrict__ roots, float* __restrict__ y,
                 unsigned ldy, unsigned lines) {
  __shared__ float real[1024], imaginary[1024];
  numbers<false> n = {};
  load<128>(n, x, ldx, lines);
  transform_lines<128>(n, roots + 128);
  const unsigned thread = threadIdx.x;
#pragma unroll
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned at = thread / 32 * 128 + thread % 32 + r * 32;
    real[at] = n.v[r].x, imaginary[at] = n.v[r].y;
  }
  __syncthreads();
#pragma unroll
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned at = thread + r * 256, of_block = at / 128, k = at % 128, line = blockIdx.x * 8 + of_block;
    const unsigned other = of_block * 128 + (128 - k) % 128;
    const float a = real[at], b = imaginary[at], c = real[other], d = imaginary[other];
    const float even = (a + c) * 0.5f, even_i = (b - d) * 0.5f, odd = (b + d) * 0.5f, odd_i = (c - a) * 0.5f;
    const float2 root = __ldg(&roots[k]);
    float* to = y + static_cast<size_t>(line) * ldy;
    if (line < lines) {
      *reinterpret_cast<float2*>(to + 2 * k) = make_float2(fmaf(root.x, odd, fmaf(-root.y, odd_i, even)),
                                                           fmaf(root.x, odd_i, fmaf(root.y, odd, even_i)));
      if (k == 0) to[256] = even - odd, to[257] = 0;
    }
  }
}

// Lines of 65 complex numbers become 128 floats.
extern "C" __global__ void __launch_bounds__(256)
    real_fft_inverse_128(const float* __restrict__ x, unsigned ldx, const float2* __restrict__ roots, float* __restrict__ y,
                         unsigned ldy, unsigned lines) {
  numbers<true> n = {};
  const unsigned line = blockIdx.x * 16 + threadIdx.x / 16;
  const float* from = x + static_cast<size_t>(line) * ldx;
  if (line < lines)
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) {
      const unsigned k = threadIdx.x % 16 + r * 16;
      float2 own = *reinterpret_cast<const float2*>(from + 2 * k), other = *reinterpret_cast<const float2*>(from + 128 - 2 * k);
      if (k == 0) own.y = other.y = 0;
      const float2 root = __ldg(&roots[k]);
      const float p = own.x - other.x, q = own.y + other.y;
      n.v[r].x = own.x + other.x - fmaf(root.x, q, -(root.y * p));
      n.v[r].y = own.y - other.y + fmaf(root.x, p, root.y * q);
    }
  transform_lines<64>(n, roots + 64);
  store<64>(n, y, ldy, lines);
}

// Lines of 16 complex numbers without gaps: one number in a lane, four lines of each, stages of radix 2 by shuffles.
extern "C" __global__ void __launch_bounds__(256)
    fft_16(const float2* __restrict__ x, const float2* __restrict__ roots, float2* __restrict__ y, unsigned lines) {
  const unsigned thread = threadIdx.x, own = thread % 16, reversed = __brev(own) >> 28;
  const unsigned first = blockIdx.x * 64 + thread / 16;
  numbers<false> n = {};
#pragma unroll
  for (unsigned r = 0; r < 4; ++r)
    if (first + r * 16 < lines) n.v[r] = __ldg(&x[static_cast<size_t>(first + r * 16) * 16 + reversed]);
#pragma unroll
  for (unsigned size = 1; size < 16; size *= 2) {
    const unsigned place = thread % (2 * size);
    const float sign = place < size ? 1.0f : -1.0f;
    const float2 root = __ldg(&roots[2 * size - 2 + place]);
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) {
      if (size > 1) n.turn(r, root);
      n.v[r].x = fmaf(n.v[r].x, sign, __shfl_xor_sync(~0u, n.v[r].x, size));
      n.v[r].y = fmaf(n.v[r].y, sign, __shfl_xor_sync(~0u, n.v[r].y, size));
    }
  }
#pragma unroll
  for (unsigned r = 0; r < 4; ++r)
    if (first + r * 16 < lines) y[static_cast<size_t>(first + r * 16) * 16 + own] = n.v[r];
}
