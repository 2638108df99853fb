#include <tg/analysis/warp.hpp>

#include <doctest/doctest.h>

#include <bit>

#include <tg/analysis/device_table.hpp>

using namespace tg::analysis;

static_assert(block_extent{256}.warps() == 8 && block_extent{16, 16}.threads() == 256 && block_extent{5, 5, 5}.warps() == 4);
static_assert(active_lanes({256}, 7) == all_lanes && active_lanes({256}, 8) == 0);
static_assert(active_lanes({48}, 1) == 0xffffu && active_lanes({1}, 0) == 1u);
static_assert(block_extent{max_block_threads}.warps() == max_block_warps);

TEST_CASE("the lanes of all warps are the threads of the block") {
  for (const block_extent block : {block_extent{1}, {33}, {16, 16}, {7, 9, 3}, {1024}}) {
    int threads = 0;
    for (int w = 0; w < block.warps(); ++w) threads += std::popcount(active_lanes(block, w));
    CHECK(threads == block.threads());
    CHECK(active_lanes(block, block.warps()) == 0);
  }
}
