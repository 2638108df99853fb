// sample_top_p of kernels/top_p.hpp: weights as whole numbers, the least logit that is kept digit by digit, the token by runs
// of columns.
#include "philox.cuh"

using mass = unsigned long long;

__device__ __forceinline__ unsigned ordered(float x) {
  const unsigned bits = __float_as_uint(x);
  return bits ^ (static_cast<unsigned>(static_cast<int>(bits) >> 31) | 0x80000000u);
}
__device__ __forceinline__ float float_of(unsigned key) {
  return __uint_as_float(key >= 0x80000000u ? key ^ 0x80000000u : ~key);
}
__device__ __forceinline__ mass weight(float x, float largest, float temperature) {
  return static_cast<mass>(expf((x - largest) / temperature) * 0x1p38f);
}
__device__ __forceinline__ mass sum_up_to(mass own, unsigned lane) {
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const mass below = __shfl_up_sync(~0u, own, d);
    if (lane >= d) own += below;
  }
  return own;
}
template <class T> __device__ __forceinline__ T sum_of_warp(T own) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) own += __shfl_xor_sync(~0u, own, d);
  return own;
}

extern "C" __global__ void __launch_bounds__(256)
    sample_top_p(const float* __restrict__ logits, unsigned ld, unsigned* __restrict__ tokens, unsigned columns, float p,
                 float temperature, unsigned seed, unsigned step) {
  __shared__ mass bins[256], warps[8], all_above[8];
  __shared__ float maxima[8];
  __shared__ unsigned digits[8], all_ties[8];
  const unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32, row = blockIdx.x;
  const float* x = logits + static_cast<size_t>(row) * ld;
  float largest = -INFINITY;
#pragma unroll 4
  for (unsigned j = thread; j < columns; j += 256) largest = fmaxf(largest, x[j] + 0.0f);
#pragma unroll
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  if (lane == 0) maxima[warp] = largest;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < 8; ++w) largest = fmaxf(largest, maxima[w]);

  mass wanted = 0, above = 0;
  unsigned least = 0;
#pragma unroll
  for (int shift = 24; shift >= 0; shift -= 8) {
    bins[thread] = 0;
    __syncthreads();
#pragma unroll 4
    for (unsigned j = thread; j < columns; j += 256) {
      const float own = x[j] + 0.0f;
      const unsigned key = ordered(own);
      if (shift == 24 || key >> (shift + 8) == least) atomicAdd(&bins[key >> shift & 255], weight(own, largest, temperature));
    }
    __syncthreads();
    const mass own = bins[255 - thread], through = sum_up_to(own, lane);
    if (lane == 31) warps[warp] = through;
    __syncthreads();
    mass below = 0, total = 0;
#pragma unroll
    for (unsigned w = 0; w < 8; ++w) {
      if (w == warp) below = total;
      total += warps[w];
    }
    if (shift == 24) {
      wanted = static_cast<mass>(static_cast<double>(total) * static_cast<double>(p));
      wanted = max(min(wanted, total), 1ull);
    }
    const mass up_to = above + below + through;
    const bool is_there = up_to - own < wanted && wanted <= up_to;
    const unsigned digit = sum_of_warp(is_there ? 255 - thread : 0);
    const mass more = sum_of_warp(is_there ? up_to - own : 0);
    if (lane == 0) digits[warp] = digit, all_above[warp] = more;
    __syncthreads();
    above = 0, least <<= 8;
#pragma unroll
    for (unsigned w = 0; w < 8; ++w) above += all_above[w], least += digits[w];
  }

  const mass tie = weight(float_of(least), largest, temperature);
  const unsigned ties = static_cast<unsigned>((wanted - above + tie - 1) / tie);
  const unsigned run = (columns + 255) / 256 * 32, begin = warp * run, end = min(begin + run, columns);
  mass own_above = 0;
  unsigned own_ties = 0;
#pragma unroll 4
  for (unsigned j = begin + lane; j < end; j += 32) {
    const float own = x[j] + 0.0f;
    const unsigned key = ordered(own);
    if (key > least) own_above += weight(own, largest, temperature);
    else if (key == least) ++own_ties;
  }
  own_above = sum_of_warp(own_above), own_ties = sum_of_warp(own_ties);
  __syncthreads();
  if (lane == 0) all_above[warp] = own_above, all_ties[warp] = own_ties;
  __syncthreads();
  mass kept = 0, before = 0, through = 0;
  unsigned seen = 0, ties_before = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) {
    if (w == warp) before = kept, ties_before = seen;
    kept += all_above[w] + (min(seen + all_ties[w], ties) - min(seen, ties)) * tie;
    seen += all_ties[w];
    if (w == warp) through = kept;
  }
  const mass drawn = philox_x(row, step, seed) >> 8;
  const mass target = (kept >> 24) * drawn + ((kept & 0xffffff) * drawn >> 24);
  if (before > target || target >= through) return;
  for (unsigned from = begin; from < end; from += 32) {
    const unsigned j = from + lane;
    mass own = 0;
    unsigned key = 0;
    if (j < end) {
      const float here = x[j] + 0.0f;
      key = ordered(here);
      if (key >= least) own = weight(here, largest, temperature);
    }
    const unsigned tied = __ballot_sync(~0u, key == least);
    if (key == least && ties_before + __popc(tied & ((1u << lane) - 1)) >= ties) own = 0;
    const mass up_to = before + sum_up_to(own, lane);
    if (up_to > target && up_to - own <= target) tokens[row] = j;
    before = __shfl_sync(~0u, up_to, 31);
    ties_before += __popc(tied);
  }
}
