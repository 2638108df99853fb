// The 32 lanes of one warp of a block, and which of them exist.
#pragma once

#include <cstdint>

#include <tg/analysis/launch_limits.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::analysis {

/// Source: PTX ISA, WARP_SZ; 32 on every architecture so far.
inline constexpr int warp_lanes = 32;

/// Warps of the largest block.
inline constexpr int max_block_warps = max_block_threads / warp_lanes;

/// One integer per lane.
using lanes = fixed_array<std::int64_t, warp_lanes>;

/// Bit l says whether lane l takes part.
using lane_mask = std::uint32_t;

/// A full warp.
inline constexpr lane_mask all_lanes = 0xffffffffu;

/// A direction of the block.
enum class axis { x, y, z };

/// Threads of a block in each direction; x runs fastest.
struct block_extent {
  int x = 1;
  int y = 1;
  int z = 1;

  constexpr int threads() const { return x * y * z; }
  constexpr int warps() const { return (threads() + warp_lanes - 1) / warp_lanes; }

  friend constexpr bool operator==(const block_extent&, const block_extent&) = default;
};

/// Returns: the lanes of `warp` that have a thread; the last warp of a block may be partial.
constexpr lane_mask active_lanes(block_extent block, int warp) {
  const int rest = block.threads() - warp * warp_lanes;
  if (rest >= warp_lanes) return all_lanes;
  return rest <= 0 ? 0 : (lane_mask{1} << rest) - 1;
}

}  // namespace tg::analysis
