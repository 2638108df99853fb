// The swizzle of addresses that keeps two accesses to one tile in shared memory, as those that store it and those that load it
// in another order, from meeting a bank twice.
#pragma once

#include <cstdint>

#include <tg/base/fixed_array.hpp>

namespace tg {

/// Bits of an address that are xored into lower ones: where bit `b` is set, mask[b] is xored to the address. No bit that
/// changes is read.
struct bank_swizzle {
  static constexpr int first_bit = 7;  // those below say the byte of a word and the bank
  static constexpr int most_bits = 32;
  fixed_array<std::uint8_t, most_bits> mask{};

  friend constexpr bool operator==(const bank_swizzle&, const bank_swizzle&) = default;

  constexpr std::uint32_t operator()(std::uint32_t address) const {
    std::uint32_t out = address;
    for (std::uint32_t left = address >> first_bit << first_bit; left != 0; left &= left - 1)
      out ^= mask[static_cast<std::size_t>(__builtin_ctz(left))];
    return out;
  }
  /// Bits that are xored into others, counted once for each.
  constexpr int terms() const {
    int out = 0;
    for (const std::uint8_t m : mask) out += __builtin_popcount(m);
    return out;
  }
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
  std::uint32_t seen_[5] = {};
  int rank_ = 0;
};

}  // namespace detail

/// One request of a warp: what each bit of a lane's number adds to its address, which is a power of two of bytes for each bit
/// of a place in the tile, and the bytes that a lane moves.
struct lane_access {
  fixed_array<std::uint32_t, 5> lanes{};
  int bytes = 4;

  /// Whether lanes of a phase whose addresses have only bits below `end` do not meet in a bank.
  constexpr bool is_free(const bank_swizzle& swizzle, int end = bank_swizzle::most_bits) const {
    const int wide = bytes > 4 ? __builtin_ctz(static_cast<unsigned>(bytes / 4)) : 0;
    const auto banks_mask = (std::uint32_t{1} << (5 - wide)) - 1;
    detail::small_rank words, banks;
    for (std::size_t b = 0; b + static_cast<std::size_t>(wide) < lanes.size(); ++b) {
      if (end < bank_swizzle::most_bits && lanes[b] >> end != 0) continue;
      const std::uint32_t word = swizzle(lanes[b]) >> (2 + wide);
      words.add(word);
      banks.add(word & banks_mask);
    }
    return words() == banks();
  }
  constexpr bool uses(int bit) const {
    std::uint32_t all = 0;
    for (const std::uint32_t lane : lanes) all |= lane;
    return (all >> bit & 1) != 0;
  }
};

namespace detail {

/// Looks for a swizzle that serves two accesses at once; bits take as few others along as they can, lower ones first.
struct swizzle_search {
  lane_access store, load;
  int lowest, bits;
  bank_swizzle found;
  int budget = 2000;  // of places in the search, so that compilers follow it

  /// Bits below `bit` are decided. What serves all lanes serves those that have no higher bits.
  constexpr bool decide(int bit) {
    if (--budget < 0 || !store.is_free(found, bit) || !load.is_free(found, bit)) return false;
    if (bit >= bits) return true;
    if (!store.uses(bit) && !load.uses(bit)) return decide(bit + 1);
    std::uint8_t& own = found.mask[static_cast<std::size_t>(bit)];
    for (int count = 0; count <= bank_swizzle::first_bit - lowest; ++count)
      for (unsigned mask = 0; mask < 1u << bank_swizzle::first_bit; mask += 1u << lowest) {
        if (__builtin_popcount(mask) != count) continue;
        own = static_cast<std::uint8_t>(mask);
        if (decide(bit + 1)) return true;
      }
    own = 0;
    return false;
  }
};

}  // namespace detail

/// Returns: a swizzle of a tile of 2 to the power of `bits` bytes with which neither access meets a bank twice; one that
/// changes nothing where there is none.
constexpr bank_swizzle find_bank_swizzle(const lane_access& store, const lane_access& load, int bits) {
  const int wider = store.bytes > load.bytes ? store.bytes : load.bytes;
  const int aligned = __builtin_ctz(static_cast<unsigned>(wider));
  detail::swizzle_search search{store, load, aligned < 2 ? 2 : aligned, bits, {}};
  return search.decide(bank_swizzle::first_bit) ? search.found : bank_swizzle{};
}

}  // namespace tg
