// quantize of kernels/quantize.hpp to Q4_0 and Q8_0: a warp takes 256 numbers, eight blocks, which go out in order through
// shared memory.
#include <cuda_fp16.h>

template <class T, class F> __device__ __forceinline__ T over_group(T x, F f) {
#pragma unroll
  for (int d = 4; d > 0; d /= 2) x = f(x, __shfl_xor_sync(~0u, x, d));
  return x;
}
__device__ __forceinline__ float largest_size(float4 v) {
  return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
}
__device__ __forceinline__ float inverse_of(float d) { return d == 0.0f ? d : 1.0f / d; }

// Blocks of `Numbers` 16-bit numbers, the first of which is the scale.
template <int Numbers>
__device__ __forceinline__ void copy_out(const unsigned short* staged, unsigned short* y, unsigned part, unsigned blocks,
                                         unsigned lane) {
  const unsigned first = part * 8;
  if (first >= blocks) return;
  const unsigned count = min(blocks - first, 8u) * Numbers;
  unsigned short* to = y + static_cast<size_t>(first) * Numbers;
  // Eight blocks begin at a multiple of 16 bytes.
  if (count == 8 * Numbers) {
    for (unsigned k = lane; k < Numbers; k += 32) reinterpret_cast<uint4*>(to)[k] = reinterpret_cast<const uint4*>(staged)[k];
  } else {
    for (unsigned k = lane; k < count; k += 32) to[k] = staged[k];
  }
}

extern "C" __global__ void __launch_bounds__(256)
    quantize_q8_0(const float* __restrict__ x, unsigned short* __restrict__ y, unsigned n) {
  constexpr int numbers = 17;
  __shared__ __align__(16) unsigned short all[8][8 * numbers];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = blockIdx.x * 8 + warp;
  unsigned short* staged = all[warp];
#pragma unroll
  for (unsigned run = 0; run < 2; ++run) {
    const unsigned in_part = lane * 4 + run * 128, block = in_part / 32;
    const float4 v = *reinterpret_cast<const float4*>(x + min(part * 256 + in_part, n - 4));
    const float d = over_group(largest_size(v), [](float a, float b) { return fmaxf(a, b); }) / 127.0f;
    const float inverse = inverse_of(d);
    const auto q = [&](float number) {
      return static_cast<unsigned>(static_cast<int>(roundf(__fmul_rn(number, inverse)))) & 255;
    };
    unsigned short* to = staged + block * numbers + 1 + lane % 8 * 2;
    to[0] = static_cast<unsigned short>(q(v.x) | q(v.y) << 8);
    to[1] = static_cast<unsigned short>(q(v.z) | q(v.w) << 8);
    if (lane % 8 == 0) staged[block * numbers] = __half_as_ushort(__float2half_rn(d));
  }
  __syncwarp();
  copy_out<numbers>(staged, y, part, n / 32, lane);
}

extern "C" __global__ void __launch_bounds__(256)
    quantize_q4_0(const float* __restrict__ x, unsigned short* __restrict__ y, unsigned n) {
  constexpr int numbers = 9;
  __shared__ __align__(16) unsigned short all[8][8 * numbers];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = blockIdx.x * 8 + warp;
  unsigned short* staged = all[warp];
#pragma unroll
  for (unsigned run = 0; run < 2; ++run) {
    const unsigned in_part = lane * 4 + run * 128, block = in_part / 32;
    const float4 v = *reinterpret_cast<const float4*>(x + min(part * 256 + in_part, n - 4));
    const float largest = over_group(largest_size(v), [](float a, float b) { return fmaxf(a, b); });
    // Place and sign of the first number that has this size, the sign in the lowest bit.
    unsigned found = 64;
    const auto look = [&](float number, unsigned k) {
      if (fabsf(number) == largest) found = (lane % 8 * 4 + k) * 2 + (__float_as_uint(number) >> 31);
    };
    look(v.w, 3), look(v.z, 2), look(v.y, 1), look(v.x, 0);
    found = over_group(found, [](unsigned a, unsigned b) { return min(a, b); });
    const float d = ((found & 1) != 0 ? largest : -largest) * 0.125f, inverse = inverse_of(d);
    const auto q = [&](float number) { return min(__float2uint_rz(__fadd_rn(__fmul_rn(number, inverse), 8.5f)), 15u); };
    const unsigned bytes = q(v.x) | q(v.y) << 8 | q(v.z) << 16 | q(v.w) << 24;
    const unsigned both = bytes | __shfl_xor_sync(~0u, bytes, 4) << 4;
    if (lane % 8 < 4) {
      unsigned short* to = staged + block * numbers + 1 + lane % 4 * 2;
      to[0] = static_cast<unsigned short>(both);
      to[1] = static_cast<unsigned short>(both >> 16);
    }
    if (lane % 8 == 0) staged[block * numbers] = __half_as_ushort(__float2half_rn(d));
  }
  __syncwarp();
  copy_out<numbers>(staged, y, part, n / 32, lane);
}
