#include <tg/dsl/block/block_vote.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tg/dsl/math/math.hpp>

#include "../word.hpp"

TEST_CASE("a C++ number is one that each thread of the block has") {
  const auto y = word::run<tg::block_t<96>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto all = tg::select(tg::block_all(block, true) && !tg::block_any(block, false), 1000u, 0u);
        to(block.global_index()) = from(block.global_index()) + tg::block_count(block, true) + all;
      },
      std::vector<unsigned>(96, 7));
  CHECK(y == std::vector<unsigned>(96, 1103));
}

TEST_CASE("a block counts in how many threads a condition holds") {
  std::vector<unsigned> x(96 * 4);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i < 96 ? 0 : i < 192 ? 1 : i % 3 == 0;
  const auto with = [&](auto f) {
    return word::run<tg::block_t<96>, unsigned>(
        [f](auto block, auto from, auto to) {
          to(block.global_index()) = tg::cast<unsigned>(f(block, from(block.global_index()) != 0u));
        },
        x);
  };
  const auto count = with([](auto block, auto c) { return tg::block_count(block, c); });
  const auto any = with([](auto block, auto c) { return tg::block_any(block, c); });
  const auto all = with([](auto block, auto c) { return tg::block_all(block, c); });
  for (std::size_t b = 0; b < x.size(); b += 96) {
    const auto holds = static_cast<unsigned>(
        std::count(x.begin() + static_cast<std::ptrdiff_t>(b), x.begin() + static_cast<std::ptrdiff_t>(b + 96), 1u));
    for (std::size_t i = b; i < b + 96; ++i) {
      CHECK(count[i] == holds);
      CHECK(any[i] == (holds > 0));
      CHECK(all[i] == (holds == 96));
    }
  }
}
