// fft_1024 of bench/fft.hpp.
struct complex_value {
  float re, im;
};
__device__ complex_value operator+(complex_value a, complex_value b) { return {a.re + b.re, a.im + b.im}; }
__device__ complex_value operator-(complex_value a, complex_value b) { return {a.re - b.re, a.im - b.im}; }
__device__ complex_value times(complex_value a, complex_value b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

__device__ unsigned place(unsigned i) {
  const unsigned high = i / 32 % 4;
  return i ^ high ^ (high * 4) ^ (i / 64 % 2 * 16);
}

extern "C" __global__ void __launch_bounds__(256)
fft_1024(const float* __restrict__ re, const float* __restrict__ im, float* __restrict__ out_re, float* __restrict__ out_im) {
  __shared__ float tile_re[1024], tile_im[1024];
  const unsigned t = threadIdx.x, first = blockIdx.x * 1024;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    tile_re[place(t + k * 256)] = re[first + t + k * 256];
    tile_im[place(t + k * 256)] = im[first + t + k * 256];
  }
  __syncthreads();
#pragma unroll
  for (unsigned pass = 0; pass < 5; ++pass) {
    const unsigned width = 1u << (2 * pass);
    const unsigned j = t % width;
    const float angle = static_cast<float>(j) * (-2.0f * 3.14159265f / static_cast<float>(4 * width));
    const auto v = [&](unsigned k) -> complex_value { return {tile_re[place(t + k * 256)], tile_im[place(t + k * 256)]}; };
    const complex_value one{cosf(angle), sinf(angle)};
    const auto two = times(one, one), three = times(two, one);
    const auto a = v(0), b = times(v(1), one), c = times(v(2), two), d = times(v(3), three);
    const auto ac = a + c, a_c = a - c, bd = b + d, b_d = b - d;
    const complex_value turned{b_d.im, -b_d.re};
    __syncthreads();
    const unsigned to = t / width * (width * 4) + j;
    const auto put = [&](unsigned k, complex_value x) {
      tile_re[place(to + k * width)] = x.re;
      tile_im[place(to + k * width)] = x.im;
    };
    put(0, ac + bd);
    put(1, a_c + turned);
    put(2, ac - bd);
    put(3, a_c - turned);
    __syncthreads();
  }
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    out_re[first + t + k * 256] = tile_re[place(t + k * 256)];
    out_im[first + t + k * 256] = tile_im[place(t + k * 256)];
  }
}
