// What one warp request costs in shared memory.
//
// 32 banks of one 4-byte word each. A phase serves one word per bank; lanes that want the same word share it
// (broadcast). Accesses of up to 4 bytes are one phase, of 8 bytes one per half warp, of 16 bytes one per quarter warp;
// the rows of ldmatrix and stmatrix count as 16-byte accesses of eight lanes each. Source: CUDA C++ Programming Guide,
// "Shared Memory" of each compute capability; Nsight Compute, "Shared Memory".
#pragma once

#include <tg/analysis/clamp_edge.hpp>
#include <tg/analysis/request.hpp>

namespace tg::analysis {

/// Source: CUDA C++ Programming Guide, "Shared Memory".
inline constexpr int banks = 32;
/// Bytes of a word of a bank.
inline constexpr int word_bytes = 4;

/// What one request costs in shared memory.
struct shared_cost {
  int wavefronts = 0;        ///< passes through the banks
  int ideal_wavefronts = 0;  ///< phases with an active lane
  int ways = 0;              ///< the most distinct words any bank owes in one phase
  bool good = false;         ///< no pass beyond the ideal
  bool exact = true;         ///< the count is the same for every permitted base, and no lane is clamped
  bool known = true;         ///< false: depends on data or on a stride per lane, the counts mean nothing

  friend constexpr bool operator==(const shared_cost&, const shared_cost&) = default;
};

namespace detail {

/// The distinct words of one phase, chained by bank.
class bank_words {
 public:
  constexpr void add(std::int64_t word) {
    const int bank = static_cast<int>(word & (banks - 1));
    int depth = 1;
    for (int i = first_[bank]; i != 0; i = next_[i], ++depth)
      if (word_[i] == word) return;
    ++count_;
    word_[count_] = word;
    next_[count_] = first_[bank];
    first_[bank] = count_;
    if (depth > ways_) ways_ = depth;
  }

  constexpr int ways() const { return ways_; }

 private:
  // One phase moves at most 32 words of 1 to 4 bytes that may straddle two.
  static constexpr int capacity = 2 * warp_lanes + 1;
  int first_[banks]{};
  int next_[capacity]{};
  std::int64_t word_[capacity]{};
  int count_ = 0;
  int ways_ = 0;
};

/// Whether the lanes read one stretch of whole words in order, as most do: each bank then owes one word per phase.
constexpr bool is_one_stretch(const lanes& at, std::int64_t base, int access_bytes) {
  return (access_bytes == 4 || access_bytes == 8 || access_bytes == 16) && (at[0] + base) % word_bytes == 0 &&
         is_one_run(at.data(), access_bytes);
}

/// Whether, in each phase, no two of the lanes ask a bank for anything: aligned accesses of whole words, as most are.
constexpr bool are_banks_apart(const std::int64_t* at, std::int64_t base, int access_bytes, int phase_lanes) {
  if (access_bytes != 4 && access_bytes != 8 && access_bytes != 16) return false;
  std::uint32_t taken = 0;  // a bit for each piece of `access_bytes` of the banks
  for (int l = 0; l < warp_lanes; ++l) {
    if (l % phase_lanes == 0) taken = 0;
    const std::int64_t begin = at[l] + base;
    const std::uint32_t own = std::uint32_t{1} << ((begin & (banks * word_bytes - 1)) / access_bytes);
    if ((begin & (access_bytes - 1)) != 0 || (taken & own) != 0) return false;
    taken |= own;
  }
  return true;
}

constexpr shared_cost count_words(const lanes& first_byte, std::int64_t base, int access_bytes, lane_mask active) {
  const int phase_lanes = access_bytes <= 4 ? warp_lanes : access_bytes <= 8 ? warp_lanes / 2 : warp_lanes / 4;
  shared_cost cost;
  if (active == all_lanes &&
      (is_one_stretch(first_byte, base, access_bytes) || are_banks_apart(first_byte.data(), base, access_bytes, phase_lanes))) {
    cost.wavefronts = cost.ideal_wavefronts = warp_lanes / phase_lanes;
    cost.ways = 1;
    cost.good = true;
    return cost;
  }
  const std::int64_t* const at = first_byte.data();
  for (int phase = 0; phase < warp_lanes; phase += phase_lanes) {
    bank_words words;
    for (int l = phase; l < phase + phase_lanes; ++l) {
      if ((active >> l & 1) == 0) continue;
      const std::int64_t begin = at[l] + base;
      for (std::int64_t word = begin >> 2; word <= (begin + access_bytes - 1) >> 2; ++word) words.add(word);
    }
    cost.wavefronts += words.ways();
    cost.ideal_wavefronts += words.ways() > 0 ? 1 : 0;
    if (words.ways() > cost.ways) cost.ways = words.ways();
  }
  cost.good = cost.wavefronts == cost.ideal_wavefronts;
  return cost;
}

/// The lanes that are served together in phase `n`.
constexpr lane_mask phase_lanes(int n, int access_bytes) {
  const int count = access_bytes <= 4 ? warp_lanes : access_bytes <= 8 ? warp_lanes / 2 : warp_lanes / 4;
  if (n * count >= warp_lanes) return 0;
  return count == warp_lanes ? all_lanes : ((lane_mask{1} << count) - 1) << n * count;
}

/// Wavefronts where lanes may be at the bounds of a clamp: the part of an address that a bound replaces may lie anywhere.
constexpr shared_cost count_clamped_words(const clamp_parts& parts, std::int64_t base, int access_bytes, int step,
                                          lane_mask active) {
  lanes inside = parts.rest_bytes;
  for (int l = 0; l < warp_lanes; ++l) inside[l] += parts.limited_bytes[l];
  shared_cost out;
  for (int n = 0; phase_lanes(n, access_bytes) != 0; ++n) {
    const lane_mask own = active & phase_lanes(n, access_bytes);
    if (own == 0) continue;
    int own_lanes = 0;
    for (int l = 0; l < warp_lanes; ++l) own_lanes += static_cast<int>(own >> l & 1);
    int ways = count_words(inside, base, access_bytes, own).ways;
    int ways_at_bound = 0;
    for (int residue = 0; residue < word_bytes; residue += step) {
      const int at_residue = count_words(parts.rest_bytes, residue, access_bytes, own).ways;
      if (at_residue > ways_at_bound) ways_at_bound = at_residue;
    }
    const byte_runs runs = collect_runs(inside, access_bytes, own);
    if (is_covered(parts, runs.at.data(), runs.count, access_bytes, own)) {
      if (ways_at_bound > ways) ways = ways_at_bound;
    } else {
      ways += 2 * ways_at_bound;
      if (ways > own_lanes) ways = own_lanes;  // no lane owes a bank two words
    }
    out.wavefronts += ways;
    ++out.ideal_wavefronts;
    if (ways > out.ways) out.ways = ways;
  }
  out.good = out.wavefronts == out.ideal_wavefronts;
  return out;
}

/// `index_elems` with strides that are multiples of all banks replaced by one that is large: such a stride changes no bank,
/// and lanes whose factors differ want different words at worst. Other strides stay.
constexpr lane_value with_rows_apart(lane_value index_elems, int elem_bytes) {
  constexpr std::int64_t apart = std::int64_t{1} << 24;
  // Lanes whose factors differ may have different bounds of a clamped term: there the factors are still needed.
  if (!index_elems.known || index_elems.xor_bits != 0 || clamped_term(index_elems) >= 0) return index_elems;
  for (const auto o : index_elems.offset)
    if (magnitude(o) >= apart / 2) return index_elems;
  int kept = 0;
  std::int64_t rows = apart;
  for (int k = 0; k < index_elems.stride_count; ++k) {
    const lane_stride s = index_elems.strides[k];
    std::int64_t most = 0;
    for (const auto c : s.coef) most = magnitude(c) > most ? magnitude(c) : most;
    const bool changes_banks =
        s.kind != lane_term::scaled || divisor_of_product(s.divisor, elem_bytes) % (banks * word_bytes) != 0;
    if (changes_banks || most >= 1024 || rows > (std::int64_t{1} << 36)) {
      index_elems.strides[kept++] = s;
      continue;
    }
    for (int l = 0; l < warp_lanes; ++l) index_elems.offset[l] += s.coef[l] * rows;
    rows *= 4096;
  }
  for (int k = kept; k < index_elems.stride_count; ++k) index_elems.strides[k] = {};
  index_elems.stride_count = kept;
  return index_elems;
}

}  // namespace detail

/// The cost of the addresses as they are.
constexpr shared_cost count_shared(const request& r) {
  return detail::count_words(r.address_bytes, 0, r.access_bytes, r.active);
}

namespace detail {

constexpr shared_cost count_elements(const lane_value& index_elems, int elem_bytes, int access_bytes,
                                     std::int64_t base_align_bytes, lane_mask active);

}  // namespace detail

/// The cost of element `index` of a tile whose start is a multiple of `base_align_bytes`, worst case over every
/// base and all bounds of a clamp that are permitted. Each lane touches `access_bytes` from its element on.
/// Shapes: a base of whole words rotates the banks and changes nothing; a mask permutes words and changes nothing; a
/// stride of whole turns around the banks keeps lanes in their banks.
constexpr shared_cost count_shared(const lane_value& index, int elem_bytes, int access_bytes, std::int64_t base_align_bytes,
                                   lane_mask active) {
  if (index.stride_count == 0) return detail::count_elements(index, elem_bytes, access_bytes, base_align_bytes, active);
  shared_cost out =
      detail::count_elements(detail::with_rows_apart(index, elem_bytes), elem_bytes, access_bytes, base_align_bytes, active);
  out.exact = out.exact && !out.known;
  return out;
}

namespace detail {

constexpr shared_cost count_elements(const lane_value& index_elems, int elem_bytes, int access_bytes,
                                     std::int64_t base_align_bytes, lane_mask active) {
  shared_cost worst;
  const std::int64_t base = base_divisor_bytes(index_elems, elem_bytes, base_align_bytes);
  const auto step = static_cast<int>(gcd(base, word_bytes));
  const bool is_clamped = index_elems.known && clamped_term(index_elems) >= 0;
  worst.known =
      index_elems.known && index_elems.stride_count == (is_clamped ? 1 : 0) && !(is_clamped && index_elems.xor_bits != 0);
  if (index_elems.xor_bits != 0) {
    std::int64_t unit = lowest_bit(index_elems.xor_bits);
    for (const auto o : index_elems.offset) unit = gcd(unit, o);
    worst.known = worst.known && step == word_bytes && is_power_of_two(elem_bytes) && unit * elem_bytes % access_bytes == 0;
  }
  if (!worst.known) return worst;
  if (is_clamped) {
    const clamp_parts parts(index_elems, elem_bytes);
    const auto bound_step = static_cast<int>(gcd(gcd(step, parts.step_bytes), word_bytes));
    for (int residue = 0; residue < word_bytes; residue += step) {
      const shared_cost cost = count_clamped_words(parts, residue, access_bytes, bound_step, active);
      if (residue == 0 || cost.wavefronts > worst.wavefronts) worst = cost;
    }
    worst.exact = false;
    return worst;
  }
  const lanes at = offset_bytes(index_elems, elem_bytes);
  for (int residue = 0; residue < word_bytes; residue += step) {
    const shared_cost cost = count_words(at, residue, access_bytes, active);
    if (residue == 0 || cost.wavefronts > worst.wavefronts) worst = cost;
  }
  worst.exact = step == word_bytes;
  return worst;
}

}  // namespace detail

/// The cost of a shared access to a tile that starts at a multiple of 16 bytes, as tiles do unless told otherwise.
constexpr shared_cost count_shared(const lane_value& index_elems, int elem_bytes, int access_bytes, lane_mask active) {
  return count_shared(index_elems, elem_bytes, access_bytes, 16, active);
}

}  // namespace tg::analysis
