#include <tg/dsl/warp/elect.hpp>

#include "../word.hpp"

using tg::literals::operator""_c;

TEST_CASE("one lane of each warp is elected") {
  const std::vector<unsigned> x(128);
  const auto y = word::run<tg::block_t<64>, unsigned>(
      [](auto block, auto, auto to) { to(block.global_index()) = tg::cast<unsigned>(tg::elect(block.warp())); }, x);
  for (std::size_t w = 0; w < x.size(); w += 32) CHECK(std::count(y.begin() + w, y.begin() + w + 32, 1u) == 1);
}

TEST_CASE("the lanes of a branch are those that took it") {
  const std::vector<unsigned> x(64);
  const auto y = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto, auto to) {
        const auto i = block.global_index();
        to(i) = tg::active_lanes();
        tg::if_(block.thread.x % 4_c == 1, [&] { to(i) = tg::active_lanes(); });
      },
      x);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == (i % 4 == 1 ? 0x22222222u : ~0u));
}
