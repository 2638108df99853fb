// radix_pass and radix_pass_of_pairs of kernels/radix_sort.hpp: one pass of a sort of 32-bit keys, with 32-bit values or without.
constexpr int steps = 16;
constexpr unsigned counts_at = 8, states_at = 8 + 8 * 256, has_own = 1u << 30, has_all = 2u << 30;

__device__ __forceinline__ unsigned load_state(const unsigned* p) {
  unsigned out;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(out) : "l"(p) : "memory");
  return out;
}
__device__ __forceinline__ void store_state(unsigned* p, unsigned x) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory");
}
// What the threads before this one have together.
__device__ __forceinline__ unsigned sum_before(unsigned x, unsigned lane, unsigned warp) {
  __shared__ unsigned warps[8];
  unsigned through = x;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned below = __shfl_up_sync(~0u, through, distance);
    if (lane >= distance) through += below;
  }
  if (lane == 31) warps[warp] = through;
  __syncthreads();
  unsigned below = 0, total = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) {
    if (w == warp) below = total;
    total += warps[w];
  }
  return below + through - x;
}

template <bool HasValues>
__device__ __forceinline__ void sort_part(const unsigned* __restrict__ keys, unsigned* __restrict__ sorted, unsigned* scratch,
                                          unsigned n, unsigned pass, unsigned shift, unsigned mask,
                                          const unsigned* __restrict__ values, unsigned* __restrict__ sorted_values) {
  __shared__ unsigned starts[8][256], targets[256], taken, staged[steps * 256], staged_values[HasValues ? steps * 256 : 1];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
#pragma unroll
  for (int w = 0; w < 8; ++w) starts[w][t] = 0;
  if (t == 0) taken = atomicAdd(&scratch[pass], 1);
  __syncthreads();
  const unsigned part = taken, base = part * (steps * 256), first = base + warp * (32 * steps) + lane;

  unsigned own[steps], rank[steps];
#pragma unroll
  for (int k = 0; k < steps; ++k) own[k] = first + k * 32 < n ? __ldg(&keys[first + k * 32]) : 0;
  const unsigned lower = (1u << lane) - 1;
#pragma unroll
  for (int k = 0; k < steps; ++k) {
    const bool is_there = first + k * 32 < n;
    const unsigned digit = own[k] >> shift & mask;
    const unsigned same = __match_any_sync(~0u, is_there ? digit : 256);
    const unsigned leader = __ffs(same) - 1;
    unsigned before = 0;
    if (is_there && lane == leader) before = atomicAdd(&starts[warp][digit], __popc(same));
    rank[k] = __shfl_sync(~0u, before, leader) + __popc(same & lower);
  }
  __syncthreads();

  unsigned total = 0;
#pragma unroll
  for (int w = 0; w < 8; ++w) total += starts[w][t];
  unsigned* states = scratch + states_at + pass * gridDim.x * 256;
  if (part != 0) store_state(&states[part * 256 + t], total | has_own);
  const unsigned begin = sum_before(total, lane, warp);
  unsigned next = begin;
#pragma unroll
  for (int w = 0; w < 8; ++w) {
    const unsigned count = starts[w][t];
    starts[w][t] = next;
    next += count;
  }
  unsigned before = 0;
  for (unsigned rest = part; rest > 0;) {
    const unsigned seen = load_state(&states[(rest - 1) * 256 + t]);
    if (seen != 0) {
      before += seen & (has_own - 1);
      rest = seen >= has_all ? 0 : rest - 1;
    }
  }
  store_state(&states[part * 256 + t], (before + total) | has_all);
  targets[t] = scratch[counts_at + pass * 256 + t] + before - begin;
  __syncthreads();

#pragma unroll
  for (int k = 0; k < steps; ++k)
    if (first + k * 32 < n) {
      const unsigned place = starts[warp][own[k] >> shift & mask] + rank[k];
      staged[place] = own[k];
      if (HasValues) staged_values[place] = __ldg(&values[first + k * 32]);
    }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < steps; ++k) {
    const unsigned place = t + k * 256;
    if (base + place < n) {
      const unsigned key = staged[place];
      const unsigned to = targets[key >> shift & mask] + place;
      sorted[to] = key;
      if (HasValues) sorted_values[to] = staged_values[place];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
    radix_pass(const unsigned* __restrict__ keys, unsigned* __restrict__ sorted, unsigned* scratch, unsigned n, unsigned pass,
               unsigned shift, unsigned mask) {
  sort_part<false>(keys, sorted, scratch, n, pass, shift, mask, nullptr, nullptr);
}
extern "C" __global__ void __launch_bounds__(256)
    radix_pass_of_pairs(const unsigned* __restrict__ keys, unsigned* __restrict__ sorted, unsigned* scratch, unsigned n,
                        unsigned pass, unsigned shift, unsigned mask, const unsigned* __restrict__ values,
                        unsigned* __restrict__ sorted_values) {
  sort_part<true>(keys, sorted, scratch, n, pass, shift, mask, values, sorted_values);
}
