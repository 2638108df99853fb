// In which lanes of a warp a comparison holds, where both sides are known of each lane: places of the thread in its block,
// constants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <tg/analysis/lane_value.hpp>
#include <tg/analysis/warp.hpp>
#include <tg/ptx/ir/instruction.hpp>

namespace tg::detail {

/// In which lanes a comparison of these 32-bit numbers holds; none: one of them is not known of each lane, or it depends on
/// signs.
inline std::optional<analysis::lane_mask> lanes_where(const ptx::instruction& i, const analysis::lane_value& a,
                                                      const analysis::lane_value& b) {
  const bool is_word = i.type() == ptx::token::u32 || i.type() == ptx::token::s32;
  if (!is_word || !analysis::is_exact(a) || !analysis::is_exact(b)) return {};
  analysis::lane_mask out = 0;
  for (std::size_t l = 0; l < static_cast<std::size_t>(analysis::warp_lanes); ++l) {
    const std::int64_t x = a.offset[l], y = b.offset[l];
    if (std::min(x, y) < 0 || std::max(x, y) > INT32_MAX) return {};  // where signs make no difference
    bool holds = false;
    switch (i.tokens()[0]) {
      case ptx::token::eq: holds = x == y; break;
      case ptx::token::ne: holds = x != y; break;
      case ptx::token::lt: holds = x < y; break;
      case ptx::token::le: holds = x <= y; break;
      case ptx::token::gt: holds = x > y; break;
      case ptx::token::ge: holds = x >= y; break;
      default: return {};
    }
    if (holds) out |= analysis::lane_mask{1} << l;
  }
  return out;
}

}  // namespace tg::detail
