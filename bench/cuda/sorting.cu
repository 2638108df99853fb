// radix_clear, radix_digit_counts and radix_digit_starts of kernels/radix_sort.hpp, top_k of kernels/top_k.hpp,
// and sample_tokens of kernels/sampling.hpp.
#include "philox.cuh"

constexpr unsigned counts_at = 8;

extern "C" __global__ void __launch_bounds__(256) radix_clear(unsigned* __restrict__ scratch, unsigned words) {
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < words; i += gridDim.x * 256) scratch[i] = 0;
}

extern "C" __global__ void __launch_bounds__(256)
    radix_digit_counts(const unsigned* __restrict__ keys, unsigned* scratch, unsigned n, unsigned begin, unsigned end) {
  __shared__ unsigned own[4][256];
  const unsigned t = threadIdx.x;
#pragma unroll
  for (unsigned p = 0; p < 4; ++p) own[p][t] = 0;
  __syncthreads();
  // Digits of passes that there are not have no bits.
  unsigned masks[4];
#pragma unroll
  for (unsigned p = 0; p < 4; ++p) masks[p] = begin + 8 * p < end ? (1u << min(end - begin - 8 * p, 8u)) - 1 : 0;
  for (unsigned i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
    const unsigned key = keys[i] >> begin;
#pragma unroll
    for (unsigned p = 0; p < 4; ++p)
      if (masks[p] != 0) atomicAdd(&own[p][key >> 8 * p & masks[p]], 1u);
  }
  __syncthreads();
#pragma unroll
  for (unsigned p = 0; p < 4; ++p) atomicAdd(&scratch[counts_at + 256 * p + t], own[p][t]);
}

extern "C" __global__ void __launch_bounds__(256) radix_digit_starts(unsigned* scratch) {
  __shared__ unsigned warps[8];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned* at = scratch + counts_at + blockIdx.x * 256 + t;
  const unsigned own = *at;
  unsigned through = own;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(~0u, through, d);
    if (lane >= d) through += below;
  }
  if (lane == 31) warps[warp] = through;
  __syncthreads();
  unsigned below = 0;
#pragma unroll
  for (unsigned w = 0; w < 7; ++w)
    if (w < warp) below += warps[w];
  *at = below + through - own;
}

using word = unsigned long long;

// Of two lanes `distance` apart, the one that `is_first` keeps the larger word.
__device__ __forceinline__ word larger_first(word own, unsigned distance, bool is_first) {
  const word other = __shfl_xor_sync(~0u, own, distance);
  return (own > other) == is_first ? own : other;
}
__device__ __forceinline__ word merged(word own, unsigned lane) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2) own = larger_first(own, distance, (lane & distance) == 0);
  return own;
}
__device__ __forceinline__ word sorted(word own, unsigned lane) {
#pragma unroll
  for (unsigned size = 2; size < 32; size *= 2)
#pragma unroll
    for (unsigned distance = size / 2; distance > 0; distance /= 2)
      own = larger_first(own, distance, ((lane / distance ^ lane / size) & 1) == 0);
  return merged(own, lane);
}
__device__ __forceinline__ void take_sorted(word (&kept)[2], word rest, unsigned lane) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const word turned = __shfl_xor_sync(~0u, rest, 31), own = kept[r];
    kept[r] = merged(max(own, turned), lane);
    if (r == 0) rest = merged(min(own, turned), lane);
  }
}
// A word that grows with x and, where x is equal, falls with its column: NaN is above infinity, -0 and +0 are equal.
__device__ __forceinline__ word ranked(float x, unsigned column) {
  const unsigned bits = __float_as_uint(x + 0.0f);
  const unsigned ordered = bits ^ (static_cast<unsigned>(static_cast<int>(bits) >> 31) | 0x80000000u);
  return static_cast<word>(x == x ? ordered : ~0u) << 32 | ~column;
}

// The best 64 words of a row, two in each lane of warp 0.
__device__ __forceinline__ void best_of_row(word (&kept)[2], const float* row, unsigned columns, unsigned lane, unsigned warp) {
  __shared__ word lists[8][64];
  kept[0] = kept[1] = 0;
  for (unsigned first = warp * 32; first < columns; first += 256) {
    const unsigned j = first + lane;
    const word own = j < columns ? ranked(row[j], j) : 0;
    if (__any_sync(~0u, own > __shfl_sync(~0u, kept[1], 31))) take_sorted(kept, sorted(own, lane), lane);
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) lists[warp][lane + 32 * r] = kept[r];
  __syncthreads();
  if (warp != 0) return;
  for (unsigned w = 1; w < 8; ++w)
#pragma unroll
    for (int r = 0; r < 2; ++r) take_sorted(kept, lists[w][lane + 32 * r], lane);
}

extern "C" __global__ void __launch_bounds__(256)
    top_k(const float* __restrict__ x, unsigned ldx, float* __restrict__ values, unsigned ldv, unsigned* __restrict__ places,
          unsigned ldp, unsigned columns, unsigned k) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float* row = x + static_cast<size_t>(blockIdx.x) * ldx;
  word kept[2];
  best_of_row(kept, row, columns, lane, warp);
  if (warp != 0) return;
#pragma unroll
  for (unsigned r = 0; r < 2; ++r) {
    const unsigned rank = lane + 32 * r, column = ~static_cast<unsigned>(kept[r]);
    if (rank < k) {
      values[static_cast<size_t>(blockIdx.x) * ldv + rank] = row[column];
      places[static_cast<size_t>(blockIdx.x) * ldp + rank] = column;
    }
  }
}

__device__ __forceinline__ float sum_up_to(float own, unsigned lane) {
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const float below = __shfl_up_sync(~0u, own, d);
    if (lane >= d) own += below;
  }
  return own;
}

extern "C" __global__ void __launch_bounds__(256)
    sample_tokens(const float* __restrict__ logits, unsigned ld, unsigned* __restrict__ tokens, unsigned columns, unsigned k,
                  float p, float temperature, unsigned seed, unsigned step) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float* row = logits + static_cast<size_t>(blockIdx.x) * ld;
  word kept[2];
  best_of_row(kept, row, columns, lane, warp);
  if (warp != 0) return;
  float logit[2] = {}, weight[2], sum[2];
#pragma unroll
  for (unsigned r = 0; r < 2; ++r) {
    const bool is_there = lane + 32 * r < min(k, columns);
    if (is_there) logit[r] = row[~static_cast<unsigned>(kept[r])];
    const float e = expf((logit[r] - __shfl_sync(~0u, logit[0], 0)) / temperature);
    weight[r] = is_there ? e : 0;
    sum[r] = sum_up_to(weight[r], lane);
  }
  sum[1] += __shfl_sync(~0u, sum[0], 31);
  const float wanted = p * __shfl_sync(~0u, sum[1], 31);
  unsigned count = 0;
#pragma unroll
  for (int r = 0; r < 2; ++r) count += __popc(__ballot_sync(~0u, weight[r] > 0 && sum[r] - weight[r] < wanted));
  const unsigned last = max(count, 1u) - 1;
  const float low = __shfl_sync(~0u, sum[0], last % 32), high = __shfl_sync(~0u, sum[1], last % 32);
  const float target = (philox_x(blockIdx.x, step, seed) >> 8) * 0x1p-24f * (last < 32 ? low : high);
  unsigned before = 0;
#pragma unroll
  for (int r = 0; r < 2; ++r) before += __popc(__ballot_sync(~0u, sum[r] <= target));
  const unsigned rank = min(before, last);
  const unsigned first = __shfl_sync(~0u, ~static_cast<unsigned>(kept[0]), rank % 32),
                 second = __shfl_sync(~0u, ~static_cast<unsigned>(kept[1]), rank % 32);
  if (lane == 0) tokens[blockIdx.x] = rank < 32 ? first : second;
}
