#include <tg/dsl/block/block_warp.hpp>

#include "../word.hpp"

TEST_CASE("the last warp of a block exchanges among the lanes it has") {
  std::vector<unsigned> x(40);
  for (unsigned i = 0; i < 40; ++i) x[i] = i * i;
  const auto y = word::run<tg::block_t<40>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto warp = tg::detail::block_warp(block);
        const auto own = tg::let(from(block.thread.x));
        to(block.thread.x) = warp.shuffle_down(own, 3) + warp.shuffle_xor(own, 4) * 3u + warp.ballot(own > 1u) * 5u;
      },
      x);
  for (unsigned i = 0; i < 40; ++i) {
    const unsigned last = i < 32 ? 31 : 39;
    CHECK(y[i] == (i + 3 <= last ? x[i + 3] : x[i]) + x[i ^ 4] * 3 + (i < 32 ? 0xfffffffcu : 0xffu) * 5);
  }
}
