// radix_clear, radix_digit_counts and radix_digit_starts of kernels/radix_sort.hpp, and top_k of kernels/top_k.hpp.
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

extern "C" __global__ void __launch_bounds__(256)
    top_k(const float* __restrict__ x, unsigned ldx, float* __restrict__ values, unsigned ldv, unsigned* __restrict__ places,
          unsigned ldp, unsigned columns, unsigned k) {
  __shared__ word lists[8][64];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float* row = x + static_cast<size_t>(blockIdx.x) * ldx;
  word kept[2] = {0, 0};
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
#pragma unroll
  for (unsigned r = 0; r < 2; ++r) {
    const unsigned rank = lane + 32 * r, column = ~static_cast<unsigned>(kept[r]);
    if (rank < k) {
      values[static_cast<size_t>(blockIdx.x) * ldv + rank] = row[column];
      places[static_cast<size_t>(blockIdx.x) * ldp + rank] = column;
    }
  }
}
