// A tile in shared memory between two layouts: the swizzle that lets one be stored and the other be loaded without meeting a
// bank twice.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include <tg/layout/wavefronts.hpp>

namespace tg {

/// Bits of an address that are xored into lower ones: where bit `b` is set, mask[b] is xored to the address. No bit that
/// changes is read.
struct bank_swizzle {
  static constexpr int first_bit = 7;  // those below say the byte of a word and the bank
  std::array<std::uint8_t, linear_layout::most_bits> mask{};

  friend constexpr bool operator==(const bank_swizzle&, const bank_swizzle&) = default;

  constexpr std::uint32_t operator()(std::uint32_t address) const {
    std::uint32_t out = address;
    for (std::uint32_t left = address >> first_bit << first_bit; left != 0; left &= left - 1)
      out ^= mask[static_cast<std::size_t>(std::countr_zero(left))];
    return out;
  }
  /// Bits that are xored into others, counted once for each.
  constexpr int terms() const {
    int out = 0;
    for (const std::uint8_t m : mask) out += std::popcount(m);
    return out;
  }
};

/// Where elements lie, and what moving them costs.
struct staging_plan {
  linear_layout memory;  // row << column_bits | column to bytes
  bank_swizzle swizzle;
  int store_elems = 1, load_elems = 1;
  wavefront_count store, load;  // of one instruction

  /// Whether no access meets a bank twice.
  constexpr bool is_free() const { return store.ways == 1 && load.ways == 1; }
};

namespace detail {

/// How many of some vectors over bits are independent, as they come.
class small_rank {
 public:
  constexpr void add(std::uint32_t v) {
    for (int i = 0; i < rank_; ++i) v = v < (v ^ seen_[i]) ? v : v ^ seen_[i];
    if (v != 0) seen_[rank_++] = v;
  }
  constexpr int operator()() const { return rank_; }

 private:
  std::uint32_t seen_[thread_layout::lane_bits] = {};
  int rank_ = 0;
};

/// Looks for a swizzle that serves two accesses at once; bits take as few others along as they can, lower ones first.
struct swizzle_search {
  linear_layout store, load;  // of lanes, to bytes
  int store_bytes, load_bytes, lowest, bits;
  bank_swizzle found;
  int budget = 2000;  // of places in the search, so that compilers follow it

  /// Whether lanes of a phase whose addresses have only bits below `end` do not meet in a bank. Of a swizzle that serves all
  /// lanes this holds for each `end`.
  constexpr bool is_free(const linear_layout& lanes, int bytes, int end) const {
    const int wide = bytes > 4 ? exact_log2(bytes / 4) : 0;
    small_rank words, banks;
    for (int b = 0; b < thread_layout::lane_bits - wide; ++b) {
      if (lanes.bases[b] >> end != 0) continue;
      const std::uint32_t word = found(lanes.bases[b]) >> (2 + wide);
      words.add(word);
      banks.add(word & bit_mask(0, thread_layout::lane_bits - wide));
    }
    return words() == banks();
  }
  static constexpr bool is_used(const linear_layout& lanes, int bit) {
    std::uint32_t all = 0;
    for (int b = 0; b < thread_layout::lane_bits; ++b) all |= lanes.bases[b];
    return (all >> bit & 1) != 0;
  }
  /// Bits below `bit` are decided.
  constexpr bool decide(int bit) {
    if (--budget < 0 || !is_free(store, store_bytes, bit) || !is_free(load, load_bytes, bit)) return false;
    if (bit >= bits) return true;
    if (!is_used(store, bit) && !is_used(load, bit)) return decide(bit + 1);
    std::uint8_t& own = found.mask[static_cast<std::size_t>(bit)];
    for (int count = 0; count <= bank_swizzle::first_bit - lowest; ++count)
      for (unsigned mask = 0; mask < 1u << bank_swizzle::first_bit; mask += 1u << lowest) {
        if (std::popcount(mask) != count) continue;
        own = static_cast<std::uint8_t>(mask);
        if (decide(bit + 1)) return true;
      }
    own = 0;
    return false;
  }
};

/// The plan for accesses of so many elements.
constexpr staging_plan plan_staging_of(const thread_layout& from, const thread_layout& to, const linear_layout& plain,
                                       int element_bytes, int store_elems, int load_elems) {
  const int wider = store_elems > load_elems ? store_elems : load_elems;
  const int lowest = exact_log2(wider * element_bytes);
  swizzle_search search{plain.compose(from.of_lanes()),
                        plain.compose(to.of_lanes()),
                        store_elems * element_bytes,
                        load_elems * element_bytes,
                        lowest < 2 ? 2 : lowest,
                        plain.outputs,
                        {}};
  if (!search.decide(bank_swizzle::first_bit)) search.found = {};
  staging_plan out{plain, search.found, store_elems, load_elems, {}, {}};
  for (int b = 0; b < plain.inputs; ++b) out.memory.bases[b] = search.found(plain.bases[b]);
  out.store = count_wavefronts(out.memory.compose(from.of_lanes()), search.store_bytes).value_or(wavefront_count{});
  out.load = count_wavefronts(out.memory.compose(to.of_lanes()), search.load_bytes).value_or(wavefront_count{});
  return out;
}

}  // namespace detail

/// Returns: the plan with the widest vectors that both sides allow and for which there is a swizzle that frees both of
/// conflicts; where there is none for any vectors, the widest without a swizzle. Requires: the same tile, elements of 1 to 16
/// bytes.
constexpr std::optional<staging_plan> plan_staging(const thread_layout& from, const thread_layout& to, int element_bytes) {
  const auto plain = make_memory_map(from.row_bits(), from.column_bits, from.columns(), element_bytes);
  if (!plain || from.map.outputs != to.map.outputs || from.column_bits != to.column_bits) return std::nullopt;
  const int store_elems = widest_vector(from, *plain, element_bytes), load_elems = widest_vector(to, *plain, element_bytes);
  for (int both = store_elems * load_elems; both >= 1; both /= 2)
    for (int store = store_elems; store >= 1; store /= 2) {
      if (both % store != 0 || both / store > load_elems) continue;
      const staging_plan plan = detail::plan_staging_of(from, to, *plain, element_bytes, store, both / store);
      if (plan.is_free()) return plan;
    }
  return detail::plan_staging_of(from, to, *plain, element_bytes, store_elems, load_elems);
}

}  // namespace tg
