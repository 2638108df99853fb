// sort_segments of kernels/segmented_sort.hpp: floats in segments of up to 32 by a warp each, unsigned numbers in segments of up
// to 512 by a block each. A key and its place are one word; words go through a bitonic network.
__device__ __forceinline__ unsigned ordered(unsigned key) { return key; }
__device__ __forceinline__ unsigned ordered(float key) {
  const unsigned bits = __float_as_uint(key);
  return bits ^ (static_cast<unsigned>(static_cast<int>(bits) >> 31) | 0x80000000u);
}

template <class Key, unsigned Threads, unsigned Words>
__device__ __forceinline__ void sort_segment(unsigned begin, unsigned count, unsigned thread, const Key* __restrict__ keys,
                                             Key* __restrict__ sorted, unsigned* __restrict__ places,
                                             unsigned long long (*exchange)[256]) {
  unsigned long long own[Words];
#pragma unroll
  for (unsigned r = 0; r < Words; ++r) {
    const unsigned at = thread + r * Threads;
    own[r] = ~0ull;
    if (at < count) own[r] = static_cast<unsigned long long>(ordered(keys[begin + at])) << 32 | at;
  }
#pragma unroll
  for (unsigned size = 2; size <= Threads * Words; size *= 2)
#pragma unroll
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      if (distance >= Threads) {
#pragma unroll
        for (unsigned r = 0; r < Words; ++r) {
          const unsigned other = r + distance / Threads;
          if (r & distance / Threads) continue;
          const unsigned long long low = min(own[r], own[other]), high = max(own[r], own[other]);
          const bool ascends = (r & size / Threads) == 0;
          own[r] = ascends ? low : high;
          own[other] = ascends ? high : low;
        }
        continue;
      }
      if (distance >= 32) {
#pragma unroll
        for (unsigned r = 0; r < Words; ++r) exchange[r][thread] = own[r];
        __syncthreads();
      }
#pragma unroll
      for (unsigned r = 0; r < Words; ++r) {
        const unsigned long long other =
            distance < 32 ? __shfl_xor_sync(~0u, own[r], distance) : exchange[r][thread ^ distance];
        const bool keeps_smaller = ((thread & distance) == 0) == (((thread + r * Threads) & size) == 0);
        own[r] = (own[r] < other) == keeps_smaller ? own[r] : other;
      }
      if (distance >= 32) __syncthreads();
    }
#pragma unroll
  for (unsigned r = 0; r < Words; ++r) {
    const unsigned at = thread + r * Threads;
    if (at < count) {
      const unsigned place = static_cast<unsigned>(own[r]);
      sorted[begin + at] = keys[begin + place];
      places[begin + at] = place;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
    sort_segments_32(const unsigned* __restrict__ offsets, const float* __restrict__ keys, float* __restrict__ sorted,
                     unsigned* __restrict__ places, unsigned segments) {
  const unsigned segment = blockIdx.x * 8 + threadIdx.x / 32;
  if (segment >= segments) return;
  const unsigned begin = offsets[segment];
  sort_segment<float, 32, 1>(begin, offsets[segment + 1] - begin, threadIdx.x % 32, keys, sorted, places, nullptr);
}

extern "C" __global__ void __launch_bounds__(256)
    sort_segments_512(const unsigned* __restrict__ offsets, const unsigned* __restrict__ keys, unsigned* __restrict__ sorted,
                      unsigned* __restrict__ places, unsigned segments) {
  __shared__ unsigned long long exchange[2][256];
  const unsigned segment = min(blockIdx.x, segments - 1), begin = offsets[segment];
  sort_segment<unsigned, 256, 2>(begin, offsets[segment + 1] - begin, threadIdx.x, keys, sorted, places, exchange);
}
