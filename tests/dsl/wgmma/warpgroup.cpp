#include <tg/dsl/wgmma/warpgroup.hpp>

#include "../word.hpp"

TEST_CASE("each thread knows its place in its warpgroup") {
  const auto y = word::run<tg::block_t<256>, unsigned>(
      [](auto block, auto, auto to) {
        const auto group = block.warpgroup();
        to(block.global_index()) =
            group.thread + group.index * 1000u + group.warp().index * 10000u + group.warp().lane * 100000u;
      },
      std::vector<unsigned>(512));
  for (unsigned i = 0; i < 512; ++i) CHECK(y[i] == i % 128 + i % 256 / 128 * 1000 + i % 128 / 32 * 10000 + i % 32 * 100000);
}
