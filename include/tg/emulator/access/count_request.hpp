// What one warp's request to memory adds to the counts of its instruction.
#pragma once

#include <algorithm>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/emulator/block/machine.hpp>

namespace tg::emulator {

/// Adds the sectors and lines of a request to global memory, the wavefronts of one to shared memory; of other spaces
/// nothing. `is_full`: every lane that could takes part.
inline void count_request(instruction_count& c, const analysis::request& r, ptx::token space, bool is_full) {
  const auto extend = [&](std::uint32_t& low, std::uint32_t& high, int count) {
    if (!is_full) return;
    low = std::min(low, static_cast<std::uint32_t>(count));
    high = std::max(high, static_cast<std::uint32_t>(count));
  };
  if (space == ptx::token::global || space == ptx::token::const_) {
    const analysis::global_cost cost = analysis::count_global(r);
    c.sectors += static_cast<std::uint64_t>(cost.sectors);
    c.lines += static_cast<std::uint64_t>(cost.lines);
    extend(c.sectors_min, c.sectors_max, cost.sectors);
  } else if (space == ptx::token::shared) {
    const analysis::shared_cost cost = analysis::count_shared(r);
    c.wavefronts += static_cast<std::uint64_t>(cost.wavefronts);
    extend(c.wavefronts_min, c.wavefronts_max, cost.wavefronts);
  }
}

}  // namespace tg::emulator
