// select_if (odd numbers), unique and run_lengths of kernels/select.hpp, of integers.
#include "look_back.cuh"

constexpr unsigned part_elems = 2048;

// f over the warps before this one and all parts before; `all`: up to the end of this part, in thread 0.
template <class States, class T, class F>
__device__ __forceinline__ T over_parts(const States& states, unsigned part, T own, unsigned lane, unsigned warp, F f, T* all) {
  __shared__ T warps[8], parts;
  if (lane == 0) warps[warp] = own;
  __syncthreads();
  T below = 0, total = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) {
    if (w == warp) below = total;
    total = f(total, warps[w]);
  }
  if (warp == 0) {
    const T earlier = look_back(states, part, total, lane, f);
    if (lane == 0) parts = earlier, *all = f(earlier, total);
  }
  __syncthreads();
  return f(parts, below);
}

__device__ __forceinline__ unsigned take_part(word* scratch) {
  __shared__ unsigned taken;
  if (threadIdx.x == 0) taken = static_cast<unsigned>(atomicAdd(scratch, 1ull));
  __syncthreads();
  return taken;
}

// `keeps(i, x[i])`.
template <class Keeps>
__device__ __forceinline__ void compact(const int* __restrict__ x, int* __restrict__ y, unsigned* __restrict__ count,
                                        word* scratch, unsigned n, Keeps keeps) {
  __shared__ unsigned ended;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = take_part(scratch);
  const unsigned first = part * part_elems + warp * 256 + lane;
  int own[8];
  unsigned lanes[8], kept = 0;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned i = first + k * 32;
    bool is_kept = false;
    if (i < n) own[k] = x[i], is_kept = keeps(i, own[k]);
    lanes[k] = __ballot_sync(~0u, is_kept);
    kept += __popc(lanes[k]);
  }
  unsigned all = 0;
  unsigned at = over_parts(narrow_states<unsigned>{scratch + 2}, part, kept, lane, warp,
                           [](unsigned a, unsigned b) { return a + b; }, &all);
  if (threadIdx.x == 0 && part + 1 == gridDim.x) *count = all;
  const unsigned below = (1u << lane) - 1;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    if (lanes[k] >> lane & 1) y[at + __popc(lanes[k] & below)] = own[k];
    at += __popc(lanes[k]);
  }
  end_part(scratch, &ended, gridDim.x + 2, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256)
    select_if(const int* __restrict__ x, int* __restrict__ y, unsigned* __restrict__ count, word* scratch, unsigned n) {
  compact(x, y, count, scratch, n, [](unsigned, int v) { return (v & 1) != 0; });
}
extern "C" __global__ void __launch_bounds__(256)
    unique(const int* __restrict__ x, int* __restrict__ y, unsigned* __restrict__ count, word* scratch, unsigned n) {
  compact(x, y, count, scratch, n, [&](unsigned i, int v) { return i == 0 || x[i - 1] != v; });
}

extern "C" __global__ void __launch_bounds__(256)
    run_lengths(const int* __restrict__ x, int* __restrict__ values, unsigned* __restrict__ lengths,
                unsigned* __restrict__ count, word* scratch, unsigned n) {
  __shared__ unsigned ended;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = take_part(scratch);
  const unsigned share = part * part_elems + warp * 256;
  int own[8];
  unsigned heads[8], kept = 0, last = 0;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned i = share + lane + k * 32;
    bool is_head = false;
    if (i < n) own[k] = x[i], is_head = i == 0 || x[i - 1] != own[k];
    heads[k] = __ballot_sync(~0u, is_head);
    kept += __popc(heads[k]);
    if (heads[k] != 0) last = share + k * 32 + 32 - __clz(heads[k]);
  }
  // How many runs have begun, and one more than the place of the last beginning.
  word all = 0;
  const word before = over_parts(
      wide_states{scratch + 2}, part, static_cast<word>(kept) << 32 | last, lane, warp,
      [](word a, word b) { return ((a >> 32) + (b >> 32)) << 32 | max(a & 0xffffffff, b & 0xffffffff); }, &all);
  if (threadIdx.x == 0 && part + 1 == gridDim.x) *count = static_cast<unsigned>(all >> 32);
  unsigned runs = static_cast<unsigned>(before >> 32), begin = static_cast<unsigned>(before);
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned i = share + lane + k * 32, up_to = heads[k] & 0xffffffffu >> (31 - lane);
    const unsigned run = runs + __popc(up_to) - 1, from = up_to != 0 ? share + k * 32 + 32 - __clz(up_to) : begin;
    if (i < n) {
      if (heads[k] >> lane & 1) values[run] = own[k];
      if (i + 1 == n || x[i + 1] != own[k]) lengths[run] = i + 2 - from;
    }
    runs += __popc(heads[k]);
    if (heads[k] != 0) begin = share + k * 32 + 32 - __clz(heads[k]);
  }
  end_part(scratch, &ended, 3 * gridDim.x + 2, threadIdx.x);
}
