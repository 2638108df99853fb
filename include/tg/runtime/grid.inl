// The blocks of a launch, and the error where there are none or too many.
#pragma once

#include <tg/runtime/grid.hpp>

#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/runtime/codes.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION block_counts to_blocks(const placement& p, const fixed_array<std::uint32_t, 3>& block_threads,
                                           const fixed_array<std::uint32_t, 3>& limit) {
  block_counts out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t extent = p.extents[i];
    const std::int64_t per_block = p.is_blocks ? 1 : block_threads[i];
    const std::int64_t blocks = extent <= 0 ? 0 : per_block == 1 ? extent : (extent - 1) / per_block + 1;
    if (blocks == 0 || blocks > std::int64_t{limit[i]}) [[unlikely]]
      throw error(grid_size,
                  "launch: " + std::to_string(extent) + (p.is_blocks ? " blocks" : " elements") + " along " + "xyz"[i] +
                      (p.is_blocks ? "" : " in blocks of " + std::to_string(per_block)) + "; the grid has 1 to " +
                      std::to_string(limit[i]) + " blocks there",
                  "launch at least one element; put the longest extent into x", p.where);
    out[i] = static_cast<std::uint32_t>(blocks);
  }
  return out;
}

}  // namespace tg::runtime
