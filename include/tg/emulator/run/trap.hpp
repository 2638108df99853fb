// A trap, and an assumption that the program states: a predicate that must hold, or a number that the lanes of a warp must
// share.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include <tg/emulator/block/block.hpp>
#include <tg/emulator/check/report.hpp>

namespace tg::emulator::detail {

/// The lanes whose number is not that of the lowest of `active`, or no multiple of `multiple`.
inline std::uint32_t other_numbers(const std::uint32_t* words, std::uint32_t active, std::uint32_t multiple) {
  std::uint32_t out = 0;
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (words[lane] != words[std::countr_zero(active)] || words[lane] % multiple != 0) out |= 1u << lane;
  }
  return out;
}

/// Ends the launch if a lane of the group comes to a trap, or to an assumption that does not hold. Errors: TG430, TG464.
inline void check_trap(const machine& m, block& b, const operation& o) {
  const bool is_assumption = o.slot_count != 0;
  if (is_assumption && m.options.check == check::checkers::none()) return;
  for (std::uint32_t w = 0; w < b.warp_count; ++w) {
    std::uint32_t active = b.active(o, w);
    if (is_assumption && o.target != 0) active = other_numbers(b.words(o, 0, w), active, o.target);
    else if (is_assumption) active &= ~m.lanes.bits(b.words(o, 0, w));
    if (active == 0) continue;
    const std::string who = by_thread(b, w, static_cast<std::uint32_t>(std::countr_zero(active)));
    if (is_assumption)
      fail(m, 464, o, "an assumption does not hold " + who, "launch the kernel with what it assumes, or assume less");
    fail(m, 430, o, describe(m, o) + " " + who + " stopped the kernel",
         "a trap is how a kernel reports a broken assumption: see its source");
  }
}

}  // namespace tg::emulator::detail
