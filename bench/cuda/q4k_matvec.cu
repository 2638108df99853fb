// q4k_matvec of kernels/q4k_matvec.hpp.
#include <cuda_fp16.h>

namespace {

constexpr unsigned row_words = 288;
constexpr unsigned stage_words = 4 * row_words;

struct activations {
  int4 low, high;
  float low_scale, high_scale, minus_sum;
};

__device__ activations read_activations(const signed char* __restrict__ q, const __half2* __restrict__ ds, unsigned block,
                                        unsigned piece) {
  const unsigned group = block * 8 + piece / 2 * 2;
  const unsigned first = group * 32 + piece % 2 * 16;
  const uint2 scales = *reinterpret_cast<const uint2*>(ds + group);
  const float2 low = __half22float2(reinterpret_cast<const __half2&>(scales.x));
  const float2 high = __half22float2(reinterpret_cast<const __half2&>(scales.y));
  return {*reinterpret_cast<const int4*>(q + first), *reinterpret_cast<const int4*>(q + first + 32), low.x,
          high.x * 0.0625f, -(piece % 2 == 0 ? low.y : high.y)};
}

// Bytes of `quants` without sign, those of `x` with.
__device__ int dot4(unsigned quants, int x, int sum) {
  int out;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(out) : "r"(quants), "r"(x), "r"(sum));
  return out;
}

__device__ int dot16(uint4 quants, unsigned mask, int4 x) {
  return dot4(quants.w & mask, x.w, dot4(quants.z & mask, x.z, dot4(quants.y & mask, x.y, dot4(quants.x & mask, x.x, 0))));
}

__device__ void copy_or_zero(unsigned* to, const unsigned* from, bool is_inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(is_inside ? 16 : 0));
}

__device__ void commit() { asm volatile("cp.async.commit_group;"); }

}  // namespace

extern "C" __global__ void __launch_bounds__(32)
q4k_matvec(const unsigned* __restrict__ w, unsigned ldw, const signed char* __restrict__ q, const __half2* __restrict__ ds,
           float* __restrict__ y, unsigned rows, unsigned columns) {
  __shared__ __align__(16) unsigned ring[3][stage_words];
  const unsigned lane = threadIdx.x;
  const unsigned piece = lane % 8;
  const unsigned first_row = blockIdx.x * 4;
  const unsigned blocks = columns / 256;
  const unsigned words = blocks * 36;
  const unsigned parts = (blocks + 7) / 8;

  const auto fetch = [&](unsigned part, unsigned slot) {
    const auto copy = [&](unsigned row, unsigned unit) {
      const unsigned column = part * row_words + unit * 4;
      copy_or_zero(&ring[slot][row * row_words + unit * 4], w + (min(first_row + row, rows - 1) * ldw + column),
                   column < words);
    };
    if (part < parts) {
#pragma unroll
      for (unsigned row = 0; row < 4; ++row) {
        copy(row, lane);
        copy(row, lane + 32);
      }
      copy(lane / 8, piece + 64);
    }
  };
  fetch(0, 0);
  commit();
  fetch(1, 1);
  commit();

  const unsigned chosen = (piece / 2 % 2 * 0x2222 + 0x5410) ^ (piece % 2 * 0x0100);
  const unsigned shift = piece / 4 * 2;
  const unsigned low_bits = piece < 4 ? 0 : 0x0f0f0f0f;
  const unsigned other_bits = piece < 4 ? 0x3f3f3f3f : 0x30303030;

  float sum[4] = {};
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned own = part * 8 + lane / 8;
    const activations x[2] = {read_activations(q, ds, min(own, blocks - 1), piece),
                              read_activations(q, ds, min(own + 4, blocks - 1), piece)};
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    const unsigned* const tile = ring[part % 3];
    fetch(part + 2, (part + 2) % 3);
    commit();
#pragma unroll
    for (unsigned n = 0; n < 2; ++n) {
#pragma unroll
      for (unsigned row = 0; row < 4; ++row) {
        const unsigned* const block = tile + row * row_words + (lane / 8 + n * 4) * 36;
        const uint4 head = *reinterpret_cast<const uint4*>(block);
        const uint4 quants = *reinterpret_cast<const uint4*>(block + 4 + piece * 4);
        const unsigned six = __byte_perm(head.y, head.z, chosen);
        const unsigned four = __byte_perm(head.w, head.w >> 4, chosen);
        const unsigned scale = (six >> shift & other_bits) | (four & low_bits);
        const int low = static_cast<int>(__byte_perm(scale, 0, 0x4440)) * dot16(quants, 0x0f0f0f0f, x[n].low);
        const int high = static_cast<int>(__byte_perm(scale, 0, 0x4441)) * dot16(quants, 0xf0f0f0f0, x[n].high);
        const float2 d = __half22float2(reinterpret_cast<const __half2&>(head.x));
        sum[row] += d.x * (static_cast<float>(low) * x[n].low_scale + static_cast<float>(high) * x[n].high_scale);
        sum[row] += d.y * (static_cast<float>(__byte_perm(scale, 0, 0x4442)) * x[n].minus_sum);
      }
    }
  }

  float own = 0.0f;
#pragma unroll
  for (unsigned row = 0; row < 4; ++row) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) sum[row] += __shfl_xor_sync(0xffffffff, sum[row], d);
    own = lane == row ? sum[row] : own;
  }
  if (lane < 4 && first_row + lane < rows) y[first_row + lane] = own;
}
