// block_matvec_q8_1 of kernels/block_matvec_q8_1.hpp, of Q4_0 and one vector in Q8_1: a warp goes along a row by 1024 weights, a
// lane takes twice 16 of them. The next are under way meanwhile.
#include <cuda_fp16.h>

constexpr unsigned numbers = 288;  // 16-bit numbers of 1024 weights

struct part_of_row {
  unsigned short own[9];

  // `last`: the last number of the part that there is.
  __device__ __forceinline__ void read(const unsigned short* __restrict__ w, unsigned lane, unsigned last) {
#pragma unroll
    for (unsigned k = 0; k < 9; ++k) own[k] = w[min(lane + k * 32, last)];
  }
  __device__ __forceinline__ void write(unsigned short* heads, unsigned short* quants, unsigned lane) const {
#pragma unroll
    for (unsigned k = 0; k < 9; ++k) {
      const unsigned at = lane + k * 32, block = at / 9, within = at % 9;
      if (within == 0) heads[block] = own[k];
      else quants[block * 8 + within - 1] = own[k];
    }
  }
};

struct sums {
  float own = 0, shared = 0;

  // Of each half of the part, if lanes have weights there.
  __device__ __forceinline__ void add(const unsigned short* heads, const unsigned short* quants,
                                      const signed char* __restrict__ x, const __half2* __restrict__ ds, unsigned lane,
                                      unsigned columns) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned low = half * 512 + lane / 2 * 32 + lane % 2 * 8;
      if (low >= columns) break;
      const uint2 words = *reinterpret_cast<const uint2*>(quants + half * 128 + lane * 4);
      const float d = __half2float(__ushort_as_half(heads[half * 16 + lane / 2]));
      const int2 first = *reinterpret_cast<const int2*>(x + low), second = *reinterpret_cast<const int2*>(x + low + 16);
      // Nibbles are the same as signed and as unsigned bytes.
      int sum = __dp4a(static_cast<int>(words.x & 0x0f0f0f0fu), first.x, 0);
      sum = __dp4a(static_cast<int>(words.y & 0x0f0f0f0fu), first.y, sum);
      sum = __dp4a(static_cast<int>(words.x >> 4 & 0x0f0f0f0fu), second.x, sum);
      sum = __dp4a(static_cast<int>(words.y >> 4 & 0x0f0f0f0fu), second.y, sum);
      const float2 by = __half22float2(ds[half * 16 + lane / 2]);
      own = fmaf(d * by.x, static_cast<float>(sum), own);
      shared = fmaf(d * -8.0f, by.y, shared);
    }
  }
};

extern "C" __global__ void __launch_bounds__(256, 2)
    block_matvec_q8_1_q4_0(const unsigned short* __restrict__ w, unsigned ldw, const signed char* __restrict__ q, unsigned ldq,
                           const __half2* __restrict__ ds, unsigned ldd, float* __restrict__ y, unsigned ldy, unsigned rows,
                           unsigned columns) {
  __shared__ unsigned short all_heads[8][40];
  __shared__ __align__(16) unsigned short all_quants[8][256];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 8 + warp;
  unsigned short *const heads = all_heads[warp], *const quants = all_quants[warp];
  const unsigned short* own = w + static_cast<size_t>(min(row, rows - 1)) * ldw;
  const unsigned whole = columns / 1024, rest = columns % 1024;
  sums all;
  if (whole != 0) {
    part_of_row next;
    next.read(own, lane, numbers - 1);
    next.write(heads, quants, lane);
    __syncwarp();
    for (unsigned part = 0; part < whole; ++part) {
      next.read(own + min(part + 1, whole - 1) * numbers, lane, numbers - 1);
      all.add(heads, quants, q + part * 1024, ds + part * 32, lane, 1024);
      __syncwarp();
      next.write(heads, quants, lane);
      __syncwarp();
    }
  }
  if (rest != 0) {
    part_of_row next;
    next.read(own + whole * numbers, lane, rest / 32 * 9 - 1);
    next.write(heads, quants, lane);
    __syncwarp();
    all.add(heads, quants, q + whole * 1024, ds + whole * 32, lane, rest);
  }
  float sum = fmaf(all.shared, 0.5f, all.own);
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0 && row < rows) y[row] = sum;
}
