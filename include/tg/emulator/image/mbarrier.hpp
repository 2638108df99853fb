// The 64 bits of an mbarrier: pending and expected arrivals, transactions, phase.
//
//   63 62 | 61    | 60 ......... 40 | 39 ..... 20 | 19 ..... 0
//   0  1  | phase | transactions    | expected    | pending
#pragma once

#include <cstdint>

#include <tg/ptx/ir/type.hpp>

namespace tg::emulator {

/// Source: PTX ISA 9.0, 9.7.13.15 "mbarrier"; how the bits are laid out is not part of it.
struct mbarrier {
  static constexpr std::uint32_t max_count = (1u << 20) - 1;
  static constexpr std::int64_t max_transactions = (std::int64_t{1} << 20) - 1;

  std::uint32_t pending = 0;      // arrivals that the phase still needs
  std::uint32_t expected = 0;     // arrivals of the next phase
  std::int64_t transactions = 0;  // bytes that are on their way
  bool phase = false;             // parity of the phase that goes on

  static constexpr mbarrier of(std::uint32_t count) { return {count, count, 0, false}; }

  static constexpr mbarrier unpack(std::uint64_t bits) {
    return {static_cast<std::uint32_t>(bits & max_count), static_cast<std::uint32_t>((bits >> 20) & max_count),
            ptx::sign_extend(static_cast<std::int64_t>(bits >> 40), 21), ((bits >> 61) & 1) != 0};
  }
  constexpr std::uint64_t pack() const {
    return std::uint64_t{1} << 62 | std::uint64_t{phase} << 61 | (static_cast<std::uint64_t>(transactions) & 0x1fffff) << 40 |
           std::uint64_t{expected} << 20 | pending;
  }

  /// The next phase begins where nothing is missing of this one. Returns: true where it did.
  constexpr bool advance() {
    if (pending != 0 || transactions != 0) return false;
    pending = expected;
    phase = !phase;
    return true;
  }

  /// True once the phase of that parity is over, the one that goes on or the one before it.
  constexpr bool has_completed(bool parity) const { return phase != parity; }

  friend constexpr bool operator==(const mbarrier&, const mbarrier&) = default;
};

}  // namespace tg::emulator
