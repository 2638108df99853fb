// The order in which the blocks of a grid start: as they are numbered, or for a seed any other one.
#pragma once

#include <bit>
#include <cstdint>

namespace tg::emulator {

/// A permutation of the numbers below `count`, computed number by number: a Feistel network over the next even power of
/// two, asked again while it leaves the range. Source: Luby and Rackoff, "How to Construct Pseudorandom Permutations from
/// Pseudorandom Functions", 1988; Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002 (cycle walking).
class block_order {
 public:
  block_order() = default;
  /// Seed 0 is the order of the numbers.
  block_order(std::uint64_t seed, std::uint64_t count)
      : seed_(count > 1 ? seed : 0), count_(count), half_bits_((static_cast<int>(std::bit_width(count - 1)) + 1) / 2) {}

  bool is_shuffled() const { return seed_ != 0; }

  /// The number that comes at `place`. Requires: `place` is below the count.
  std::uint64_t at(std::uint64_t place) const {
    if (seed_ == 0) return place;
    do place = mix(place);
    while (place >= count_);
    return place;
  }

 private:
  std::uint64_t mix(std::uint64_t x) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = x >> half_bits_, right = x & mask;
    for (std::uint64_t round = 1; round <= 4; ++round) {
      const std::uint64_t next = left ^ (hash(right + (seed_ * 8 + round) * 0x9e3779b97f4a7c15u) & mask);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  static std::uint64_t hash(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  std::uint64_t seed_ = 0, count_ = 0;
  int half_bits_ = 0;
};

}  // namespace tg::emulator
