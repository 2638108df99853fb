// rope and kv_cache_write of kernels/rope.hpp and kernels/kv_cache.hpp.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// The sine and the cosine of an angle of `position * frequency` turns, where a frequency is a float and what it is off by.
__device__ __forceinline__ void turned(int position, float2 frequency, float& s, float& c) {
  const float p = static_cast<float>(position);
  const float turns = __fmul_rn(p, frequency.x);
  const float lost = fmaf(p, frequency.x, -turns) + p * frequency.y;
  const float rest = __fsub_rn(turns, rintf(turns)) + lost;
  sincospif(rest * 2.0f, &s, &c);
}

template <class T, class ToFloat, class FromFloat>
__device__ __forceinline__ void rope_of_halves(T* __restrict__ x, unsigned ldx, const float* __restrict__ frequencies,
                                               const int* __restrict__ positions, unsigned tokens, unsigned heads,
                                               unsigned size, unsigned pairs, ToFloat to_float, FromFloat from_float) {
  const unsigned k = blockIdx.x * 32 + threadIdx.x, token = blockIdx.y * 8 + threadIdx.y;
  if (token >= tokens || k >= pairs) return;
  float s, c;
  turned(positions[token], reinterpret_cast<const float2*>(frequencies)[k], s, c);
  T* at = x + static_cast<size_t>(token) * ldx + k;
#pragma unroll 4
  for (unsigned head = 0; head < heads; ++head, at += size) {
    const float u = to_float(at[0]), v = to_float(at[pairs]);
    at[0] = from_float(u * c - v * s);
    at[pairs] = from_float(u * s + v * c);
  }
}

extern "C" __global__ void __launch_bounds__(256)
    rope_of_floats(float* __restrict__ x, unsigned ldx, const float* __restrict__ frequencies,
                   const int* __restrict__ positions, unsigned tokens, unsigned heads, unsigned size, unsigned pairs) {
  const auto same = [](float a) { return a; };
  rope_of_halves(x, ldx, frequencies, positions, tokens, heads, size, pairs, same, same);
}
extern "C" __global__ void __launch_bounds__(256)
    rope_halves(__nv_bfloat16* __restrict__ x, unsigned ldx, const float* __restrict__ frequencies,
                const int* __restrict__ positions, unsigned tokens, unsigned heads, unsigned size, unsigned pairs) {
  rope_of_halves(
      x, ldx, frequencies, positions, tokens, heads, size, pairs, [](__nv_bfloat16 a) { return __bfloat162float(a); },
      [](float a) { return __float2bfloat16(a); });
}
extern "C" __global__ void __launch_bounds__(256)
    rope_interleaved(__half* __restrict__ x, unsigned ldx, const float* __restrict__ frequencies,
                     const int* __restrict__ positions, unsigned tokens, unsigned heads, unsigned size, unsigned pairs) {
  const unsigned k = blockIdx.x * 32 + threadIdx.x, token = blockIdx.y * 8 + threadIdx.y;
  if (token >= tokens || k >= pairs) return;
  float s, c;
  turned(positions[token], reinterpret_cast<const float2*>(frequencies)[k], s, c);
  __half2* at = reinterpret_cast<__half2*>(x + static_cast<size_t>(token) * ldx) + k;
#pragma unroll 4
  for (unsigned head = 0; head < heads; ++head, at += size / 2) {
    const float2 own = __half22float2(*at);
    *at = __floats2half2_rn(own.x * c - own.y * s, own.x * s + own.y * c);
  }
}

// Rows go to their slots of the cache, eight elements for each thread.
extern "C" __global__ void __launch_bounds__(256)
    kv_cache_write(const __nv_bfloat16* __restrict__ keys, unsigned ldk, const __nv_bfloat16* __restrict__ values, unsigned ldv,
                   const int* __restrict__ slots, __nv_bfloat16* __restrict__ cached_keys, unsigned ldck,
                   __nv_bfloat16* __restrict__ cached_values, unsigned ldcv, unsigned tokens, unsigned width) {
  const unsigned token = blockIdx.y * 8 + threadIdx.y, first = (blockIdx.x * 32 + threadIdx.x) * 8;
  if (token >= tokens || first >= width) return;
  const int slot = slots[token];
  if (slot < 0) return;
  *reinterpret_cast<uint4*>(cached_keys + static_cast<size_t>(slot) * ldck + first) =
      *reinterpret_cast<const uint4*>(keys + static_cast<size_t>(token) * ldk + first);
  *reinterpret_cast<uint4*>(cached_values + static_cast<size_t>(slot) * ldcv + first) =
      *reinterpret_cast<const uint4*>(values + static_cast<size_t>(token) * ldv + first);
}
