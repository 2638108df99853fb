#include <tg/dsl/recorder/block_barriers.hpp>

#include <doctest/doctest.h>

#include <tg/tg.hpp>

using namespace tg::literals;

TEST_CASE("barriers and votes of the block are refused behind a place, those of warps and by name are not") {
  const auto code_of = [](const auto& before, const auto& behind) {
    try {
      (void)tg::to_ptx(tg::kernel<"k">(tg::block<64>, [&](auto block, tg::out<unsigned> y) {
        before(block, y);
        const std::size_t begin = tg::detail::count_recorded();
        behind(block, y);
        tg::detail::refuse_block_barriers(begin);
      }));
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  };
  const auto sync = [](auto block, auto&) { block.sync(); };
  const auto vote = [](auto block, auto& y) { y(block.thread.x) = tg::block_count(block, block.thread.x > 3u); };
  const auto named = [](auto block, auto&) { tg::barrier<3>(block, 64_c).sync(); };
  const auto warp = [](auto block, auto& y) { y(block.thread.x) = block.warp().sum(block.thread.x + 0u); };
  CHECK(code_of(warp, sync) == 199);
  CHECK(code_of(warp, vote) == 199);
  CHECK(code_of(sync, warp) == 0);
  CHECK(code_of(vote, named) == 0);
}
