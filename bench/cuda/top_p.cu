// sample_top_p of kernels/top_p.hpp: bins of the depth below the largest, the candidates of one bin in order, the token by runs of
// columns and parts of these.
#include "philox.cuh"

using mass = unsigned long long;

constexpr unsigned bins_of_octave = 64, bins = 38 * bins_of_octave, most = 512;

__device__ __forceinline__ float weight_at(float depth) {
  float weight;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(weight) : "f"(depth * -0x1p-6f));
  return weight;
}
__device__ __forceinline__ mass whole(float depth) { return static_cast<mass>(weight_at(depth) * 0x1p38f); }
__device__ __forceinline__ unsigned mass_at(float depth, unsigned bin) {
  return __float_as_uint(weight_at(depth)) + (bin / bins_of_octave << 23) - 0x3e800000u;
}
__device__ __forceinline__ mass word_of(float x, unsigned column) {
  const unsigned bits = __float_as_uint(x + 0.0f);
  const unsigned key = bits ^ (static_cast<unsigned>(static_cast<int>(bits) >> 31) | 0x80000000u);
  return static_cast<mass>(key) << 24 | (column ^ 0xffffff);
}
__device__ __forceinline__ float logit_of(mass word) {
  const unsigned key = static_cast<unsigned>(word >> 24);
  return __uint_as_float(key >= 0x80000000u ? key ^ 0x80000000u : ~key);
}
__device__ __forceinline__ mass sum_up_to(mass own, unsigned lane) {
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const mass below = __shfl_up_sync(~0u, own, d);
    if (lane >= d) own += below;
  }
  return own;
}
__device__ __forceinline__ mass sum_of_warp(mass own) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) own += __shfl_xor_sync(~0u, own, d);
  return own;
}

/// Four columns at a time for one test, then one.
template <unsigned Step, class Use> __device__ __forceinline__ void each(unsigned from, unsigned end, Use use) {
  const unsigned fours = max(end, 3 * Step) - 3 * Step;
  unsigned j = from;
#pragma unroll 1
  for (; j < fours; j += 4 * Step) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) use(j + k * Step);
  }
#pragma unroll 1
  for (; j < end; j += Step) use(j);
}

struct memory {
  uint4 low[bins / 4], high[bins / 4];
  mass partials[32], runs[32], candidates[most], needed, cut;
  unsigned masses[most], chosen, count, least, largest, number;
  float maxima[32];
};

__device__ __forceinline__ void clear(memory& m, unsigned thread) {
  for (unsigned i = thread; i < bins / 4; i += 1024) m.low[i] = m.high[i] = make_uint4(0, 0, 0, 0);
}
__device__ __forceinline__ void add(memory& m, unsigned bin, unsigned own) {
  const unsigned old = atomicAdd(reinterpret_cast<unsigned*>(m.low) + bin, own);
  if (old + own < own) atomicAdd(reinterpret_cast<unsigned*>(m.high) + bin, 1u);
}
__device__ __forceinline__ mass joined(unsigned high, unsigned low) { return static_cast<mass>(high) << 32 | low; }
__device__ __forceinline__ mass sums_of_warps(memory& m, mass own, unsigned warp, unsigned lane) {
  if (lane == 0) m.partials[warp] = own;
  __syncthreads();
  return sum_up_to(m.partials[lane], lane);
}

template <class Wanted>
__device__ __forceinline__ void choose(memory& m, unsigned thread, Wanted wanted_of, unsigned left, unsigned right) {
  const unsigned lane = thread % 32, warp = thread / 32;
  const uint4* const low = m.low;
  const uint4* const high = m.high;
  mass own = 0;
  if (thread < bins / 4) {
    const uint4 l = low[thread], h = high[thread];
    own = (joined(h.x, l.x) + joined(h.y, l.y) + joined(h.z, l.z) + joined(h.w, l.w)) << left >> right;
  }
  const mass through = sum_up_to(own, lane), of_warp = __shfl_sync(~0u, through, 31);
  const mass all = sums_of_warps(m, of_warp, warp, lane);
  const mass wanted = wanted_of(__shfl_sync(~0u, all, 31));
  const mass before = __shfl_sync(~0u, all, warp) - of_warp + through - own;
  if (before < wanted && wanted <= before + own) {
    mass need = (((wanted - before) << right) + ((mass{1} << left) - 1)) >> left;
    unsigned bin = thread * 4;
    const uint4 l = low[thread], h = high[thread];
    const mass sums[4] = {joined(h.x, l.x), joined(h.y, l.y), joined(h.z, l.z), joined(h.w, l.w)};
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      if (bin == thread * 4 + i && need > sums[i]) need -= sums[i], ++bin;
    m.needed = need, m.chosen = bin;
  }
  if (thread == 0) m.count = 0, m.least = ~0u, m.largest = 0;
  __syncthreads();
}

extern "C" __global__ void __launch_bounds__(1024)
    sample_top_p(const float* __restrict__ logits, unsigned ld, unsigned* __restrict__ tokens, unsigned columns, float p,
                 float temperature, unsigned seed, unsigned step) {
  __shared__ memory m;
  const unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32, row = blockIdx.x;
  const float* x = logits + static_cast<size_t>(row) * ld;
  clear(m, thread);
  if (thread == 0) m.number = philox_x(row, step, seed) >> 8;
  float largest = -INFINITY;
  each<1024>(thread, columns, [&](unsigned j) { largest = fmaxf(largest, x[j]); });
#pragma unroll
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  if (lane == 0) m.maxima[warp] = largest;
  __syncthreads();
  largest = m.maxima[lane];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  const float steep = 0x1.715476p6f / fmaxf(temperature, 0x1p-120f);

  const float* const last = x + (columns - 1);  // backwards: the end is still in the cache
  each<1024>(thread, columns, [&](unsigned j) {
    const float depth = (largest - *(last - j)) * steep;
    const unsigned bin = __float2uint_rz(depth);
    if (bin < bins) add(m, bin, mass_at(depth, bin));
  });
  __syncthreads();
  choose(
      m, thread,
      [&](mass total) {
        const mass share = static_cast<mass>(static_cast<double>(total) * static_cast<double>(p));
        return max(min(share, total), 1ull);
      },
      14, thread * 4 / bins_of_octave);

  const unsigned part = (columns + 1023) / 1024, run = part * 32;
  const auto gather = [&](auto is_above, auto is_candidate) {
    const unsigned begin = warp * run, end = min(begin + run, columns);
    mass above = 0;
    each<32>(begin + lane, end, [&](unsigned j) {
      const float depth = (largest - x[j]) * steep;
      if (is_above(j, depth)) {
        above += whole(depth);
      } else if (is_candidate(j, depth)) {
        const mass word = word_of(x[j], j);
        const unsigned key = static_cast<unsigned>(word >> 24);
        atomicMin(&m.least, key);
        atomicMax(&m.largest, key);
        const unsigned place = atomicAdd(&m.count, 1u);
        if (place < most) m.candidates[place] = word;
      }
    });
    above = sum_of_warp(above);
    if (lane == 0) m.runs[warp] = above;
    __syncthreads();
  };
  const float first = static_cast<float>(m.chosen);
  gather([&](unsigned, float depth) { return depth < first; }, [&](unsigned, float depth) { return depth < first + 1; });

  mass lower = static_cast<mass>(m.least) << 24 | ((columns - 1) ^ 0xffffff);
  mass upper = static_cast<mass>(m.largest) << 24 | 0xffffff;
  while (m.count > most) {
    const unsigned shift = max(64 - __clzll(static_cast<long long>(upper - lower)), 11) - 11;
    clear(m, thread);
    __syncthreads();
    for (unsigned j = thread; j < columns; j += 1024) {
      const mass word = word_of(x[j], j);
      if (lower <= word && word <= upper) {
        const float depth = (largest - x[j]) * steep;
        add(m, static_cast<unsigned>((upper - word) >> shift), mass_at(depth, __float2uint_rz(depth)));
      }
    }
    __syncthreads();
    const mass need = m.needed;
    choose(m, thread, [&](mass) { return need; }, 0, 0);
    upper -= static_cast<mass>(m.chosen) << shift;
    lower = max(lower, upper - ((1ull << shift) - 1));
    gather([&](unsigned j, float) { return word_of(x[j], j) > upper; },
           [&](unsigned j, float) { return word_of(x[j], j) >= lower; });
  }

  const unsigned many = m.count;
  if (thread < many) {
    const float depth = (largest - logit_of(m.candidates[thread])) * steep;
    m.masses[thread] = mass_at(depth, __float2uint_rz(depth));
  }
  __syncthreads();
  if (thread < many) {
    const mass own = m.candidates[thread];
    mass before = 0;
#pragma unroll 4
    for (unsigned i = 0; i < many; ++i)
      if (m.candidates[i] > own) before += m.masses[i];
    if (before < m.needed) {
      const unsigned column = ~static_cast<unsigned>(own) & 0xffffff;
      atomicAdd(&m.runs[column / run], whole((largest - logit_of(own)) * steep));
      if (m.needed <= before + m.masses[thread]) m.cut = own;
    }
  }
  __syncthreads();

  const mass least = m.cut, of_run = m.runs[lane], through_run = sum_up_to(of_run, lane);
  const mass kept = __shfl_sync(~0u, through_run, 31), drawn = m.number;
  const mass target = (kept >> 24) * drawn + ((kept & 0xffffff) * drawn >> 24);
  const unsigned owner = __popc(__ballot_sync(~0u, through_run <= target));
  const unsigned begin = owner * run + warp * part, end = min(begin + part, columns);
  const auto kept_weight = [&](unsigned j) {
    return word_of(x[j], j) >= least ? whole((largest - x[j]) * steep) : mass{0};
  };
  mass of_part = 0;
  for (unsigned j = begin + lane; j < end; j += 32) of_part += kept_weight(j);
  of_part = sum_of_warp(of_part);
  const mass all = sums_of_warps(m, of_part, warp, lane);
  const mass through = __shfl_sync(~0u, through_run - of_run, owner) + __shfl_sync(~0u, all, warp);
  mass before = through - of_part;
  if (before > target || target >= through) return;
  for (unsigned from = begin; from < end; from += 32) {
    const unsigned j = from + lane;
    const mass own = j < end ? kept_weight(j) : 0, up_to = before + sum_up_to(own, lane);
    if (up_to > target && up_to - own <= target) tokens[row] = j;
    before = __shfl_sync(~0u, up_to, 31);
  }
}
