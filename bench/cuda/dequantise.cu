// dequantize of kernels/dequantize.hpp to floats, of Q4_0, Q5_1, Q4_K and Q6_K: a warp copies the blocks of 256 weights to
// shared memory, and each lane makes two runs of four weights of them. Layouts: kernels/block_formats.hpp.
#include <cuda_fp16.h>

// The 16-bit numbers of 256 weights. `all`: how many numbers there are.
template <int Numbers> struct staged {
  static_assert(Numbers % 8 == 0 || Numbers == 105, "whole vectors, or one block");
  unsigned short* const own;

  __device__ __forceinline__ staged(unsigned short* own, const unsigned short* __restrict__ x, unsigned part, unsigned all,
                                    unsigned lane)
      : own(own) {
    const size_t first = static_cast<size_t>(part) * Numbers;
    if (first < all) {
      const unsigned count = min(all - static_cast<unsigned>(first), static_cast<unsigned>(Numbers));
      if (Numbers % 8 == 0 && count == Numbers) {
#pragma unroll
        for (unsigned k = 0; k < Numbers / 8; k += 32)
          if (k + lane < Numbers / 8)
            reinterpret_cast<uint4*>(own)[k + lane] = reinterpret_cast<const uint4*>(x + first)[k + lane];
      } else {
#pragma unroll
        for (unsigned k = 0; k < Numbers; k += 32)
          if (k + lane < count) own[k + lane] = x[first + k + lane];
      }
    }
    __syncwarp();
  }
  __device__ __forceinline__ float half(unsigned at) const { return __half2float(__ushort_as_half(own[at])); }
  __device__ __forceinline__ unsigned word(unsigned byte) const { return *reinterpret_cast<const unsigned*>(bytes() + byte); }
  __device__ __forceinline__ unsigned byte(unsigned at) const { return bytes()[at]; }
  __device__ __forceinline__ const unsigned char* bytes() const { return reinterpret_cast<const unsigned char*>(own); }
};

template <class F> __device__ __forceinline__ float4 of_bytes(unsigned word, F f) {
  return make_float4(f(static_cast<float>(word & 255)), f(static_cast<float>(word >> 8 & 255)),
                     f(static_cast<float>(word >> 16 & 255)), f(static_cast<float>(word >> 24)));
}

// `read(blocks, v)`: four weights from number v of 256 on.
template <int Numbers, class Read>
__device__ __forceinline__ void dequantise(const unsigned short* __restrict__ x, float* __restrict__ y, unsigned n, Read read) {
  __shared__ __align__(16) unsigned short all[8][(Numbers + 7) / 8 * 8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = blockIdx.x * 8 + warp;
  const staged<Numbers> blocks(all[warp], x, part, n / 32 * (Numbers * 32) / 256, lane);
#pragma unroll
  for (unsigned run = 0; run < 2; ++run) {
    const unsigned v = lane * 4 + run * 128, i = part * 256 + v;
    const float4 weights = read(blocks, v);
    if (i < n) *reinterpret_cast<float4*>(y + i) = weights;
  }
}

extern "C" __global__ void __launch_bounds__(256)
    dequantize_q4_0(const unsigned short* __restrict__ x, float* __restrict__ y, unsigned n) {
  dequantise<72>(x, y, n, [](const auto& blocks, unsigned v) {
    const unsigned block = v / 32, at = v % 32, first = block * 9 + 1 + at % 16 / 2;
    const float d = blocks.half(block * 9);
    const unsigned both = blocks.own[first] | static_cast<unsigned>(blocks.own[first + 1]) << 16;
    return of_bytes(both >> at / 16 * 4 & 0x0f0f0f0fu, [&](float q) { return d * (q - 8.0f); });
  });
}
extern "C" __global__ void __launch_bounds__(256)
    dequantize_q5_1(const unsigned short* __restrict__ x, float* __restrict__ y, unsigned n) {
  dequantise<96>(x, y, n, [](const auto& blocks, unsigned v) {
    const unsigned block = v / 32, at = v % 32;
    const unsigned numbers = blocks.word(block * 24);
    const float2 scale = __half22float2(reinterpret_cast<const __half2&>(numbers));
    // The product is the four bits, and again 7, 14 and 21 bits further up, where one of them is in the right place each time.
    const unsigned fifth = (blocks.word(block * 24 + 4) >> at & 15) * (0x00204081u << 4) & 0x10101010u;
    const unsigned four = blocks.word(block * 24 + 8 + at % 16) >> at / 16 * 4 & 0x0f0f0f0fu;
    return of_bytes(four | fifth, [&](float q) { return fmaf(scale.x, q, scale.y); });
  });
}
extern "C" __global__ void __launch_bounds__(256)
    dequantize_q4_k(const unsigned short* __restrict__ x, float* __restrict__ y, unsigned n) {
  dequantise<72>(x, y, n, [](const auto& block, unsigned v) {
    const unsigned group = v / 32, within = v % 32;
    const unsigned numbers = block.word(0);
    const float2 scales = __half22float2(reinterpret_cast<const __half2&>(numbers));
    const unsigned low = block.byte(4 + group % 4), middle = block.byte(8 + group % 4), last = block.byte(12 + group % 4);
    const unsigned scale = group < 4 ? low & 63 : (last & 15) | low >> 6 << 4;
    const unsigned minimum = group < 4 ? middle & 63 : last >> 4 | middle >> 6 << 4;
    const float d = scales.x * static_cast<float>(scale), least = scales.y * static_cast<float>(minimum);
    return of_bytes(block.word(16 + group / 2 * 32 + within) >> group % 2 * 4 & 0x0f0f0f0fu,
                    [&](float q) { return fmaf(d, q, -least); });
  });
}
extern "C" __global__ void __launch_bounds__(256)
    dequantize_q6_k(const unsigned short* __restrict__ x, float* __restrict__ y, unsigned n) {
  dequantise<105>(x, y, n, [](const auto& block, unsigned v) {
    const unsigned half = v / 128, quarter = v % 128 / 32, within = v % 32;
    const unsigned four = block.word(half * 64 + quarter % 2 * 32 + within) >> quarter / 2 * 4 & 0x0f0f0f0fu;
    const unsigned upper = (block.word(128 + half * 32 + within) >> quarter * 2 & 0x03030303u) << 4;
    const int scale = static_cast<signed char>(block.byte(192 + half * 8 + quarter * 2 + within / 16));
    const float d = block.half(104) * static_cast<float>(scale);
    return of_bytes(four | upper, [&](float q) { return d * (q - 32.0f); });
  });
}
