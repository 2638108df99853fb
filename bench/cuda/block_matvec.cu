// block_matvec of kernels/block_matvec.hpp, of Q4_0 and one vector: a warp goes along a row by 256 weights. The next are under
// way while it multiplies those in its tiles, which hold heads of blocks and quants apart. Layouts: kernels/block_formats.hpp.
#include <cuda_fp16.h>

constexpr unsigned numbers = 72;  // 16-bit numbers of 256 weights

struct part_of_row {
  unsigned short own[3];

  // `last`: the last number of the part that there is.
  __device__ __forceinline__ void read(const unsigned short* __restrict__ w, unsigned lane, unsigned last) {
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) own[k] = w[min(lane + k * 32, last)];
  }
  __device__ __forceinline__ void write(unsigned short* heads, unsigned short* quants, unsigned lane) const {
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned at = lane + k * 32, block = at / 9, within = at % 9;
      if (at >= numbers) break;
      if (within == 0) heads[block] = own[k];
      else quants[block * 8 + within - 1] = own[k];
    }
  }
};

__device__ __forceinline__ float multiply(float sum, const unsigned short* heads, const unsigned short* quants,
                                          const float* __restrict__ x, unsigned lane, unsigned columns) {
#pragma unroll
  for (unsigned run = 0; run < 2; ++run) {
    const unsigned v = lane * 4 + run * 128, at = v % 32;
    const float d = __half2float(__ushort_as_half(heads[v / 32]));
    const unsigned word = *reinterpret_cast<const unsigned*>(quants + v / 32 * 8 + at % 16 / 2);
    const unsigned q = word >> at / 16 * 4 & 0x0f0f0f0fu;
    if (v >= columns) break;
    const float4 by = *reinterpret_cast<const float4*>(x + v);
    sum = fmaf(d * (static_cast<float>(q & 255) - 8.0f), by.x, sum);
    sum = fmaf(d * (static_cast<float>(q >> 8 & 255) - 8.0f), by.y, sum);
    sum = fmaf(d * (static_cast<float>(q >> 16 & 255) - 8.0f), by.z, sum);
    sum = fmaf(d * (static_cast<float>(q >> 24) - 8.0f), by.w, sum);
  }
  return sum;
}

extern "C" __global__ void __launch_bounds__(256)
    block_matvec_q4_0(const unsigned short* __restrict__ w, unsigned ldw, const float* __restrict__ x, unsigned ldx,
                      float* __restrict__ y, unsigned ldy, unsigned rows, unsigned columns) {
  __shared__ unsigned short all_heads[8][16];
  __shared__ __align__(16) unsigned short all_quants[8][64];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 8 + warp;
  unsigned short *const heads = all_heads[warp], *const quants = all_quants[warp];
  const unsigned short* own = w + static_cast<size_t>(min(row, rows - 1)) * ldw;
  const unsigned whole = columns / 256;
  float sum = 0;
  if (whole != 0) {
    part_of_row next;
    next.read(own, lane, numbers - 1);
    next.write(heads, quants, lane);
    __syncwarp();
    for (unsigned part = 0; part < whole; ++part) {
      next.read(own + min(part + 1, whole - 1) * numbers, lane, numbers - 1);
      sum = multiply(sum, heads, quants, x + part * 256, lane, 256);
      __syncwarp();
      next.write(heads, quants, lane);
      __syncwarp();
    }
  }
  if (columns % 256 != 0) {
    part_of_row next;
    next.read(own + whole * numbers, lane, columns % 256 / 32 * 9 - 1);
    next.write(heads, quants, lane);
    __syncwarp();
    sum = multiply(sum, heads, quants, x + whole * 256, lane, columns % 256);
  }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0 && row < rows) y[row] = sum;
}
