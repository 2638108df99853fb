// quantize_q8_1 of kernels/q8_1.hpp.
#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(256)
quantize_q8_1(const float* __restrict__ x, signed char* __restrict__ q, __half2* __restrict__ ds, unsigned n) {
  const unsigned first = (blockIdx.x * 256 + threadIdx.x) * 4;
  const float4 v = *reinterpret_cast<const float4*>(x + min(first, n - 4));
  float largest = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
#pragma unroll
  for (int d = 4; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, d));
  const float d = largest / 127.0f;
  const float inverse = d > 0.0f ? 1.0f / d : d;
  const auto byte = [&](float number) { return static_cast<signed char>(__float2int_rn(number * inverse)); };
  const char4 bytes = make_char4(byte(v.x), byte(v.y), byte(v.z), byte(v.w));
  int total = __dp4a(reinterpret_cast<const int&>(bytes), 0x01010101, 0);
#pragma unroll
  for (int distance = 4; distance > 0; distance /= 2) total += __shfl_xor_sync(0xffffffff, total, distance);
  if (first < n) *reinterpret_cast<char4*>(q + first) = bytes;
  if (first < n && first % 32 == 0) ds[first / 32] = __floats2half2_rn(d, d * static_cast<float>(total));
}
