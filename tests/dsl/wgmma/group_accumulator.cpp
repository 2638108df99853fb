#include <tg/dsl/wgmma/group_accumulator.hpp>

#include <set>

#include <tg/dsl/wgmma/warpgroup.hpp>

#include "../word.hpp"

#include <tg/dsl/flow/unroll.hpp>

namespace {

using sums = tg::group_accumulator<128, 24, float>;
static_assert(sums::registers == 24 && sums::elements == 24 && sums::registers_of_product == 12);
static_assert(tg::group_accumulator<64, 24, tg::f16>::registers == 6);
static_assert(!std::is_copy_constructible_v<sums> && std::is_move_constructible_v<sums>);

}  // namespace

TEST_CASE("each element of the matrix is in one register of one thread") {
  std::set<std::pair<int, int>> seen;
  for (int t = 0; t < 128; ++t)
    for (int e = 0; e < sums::elements; ++e) {
      const auto [row, column] = sums::place(t, e);
      CHECK((row >= 0 && row < 128 && column >= 0 && column < 24));
      seen.insert({row, column});
    }
  CHECK(seen.size() == 128 * 24);
}

TEST_CASE("kernels find the place of an element as the host does") {
  const auto y = word::run<tg::block_t<128>, unsigned>(
      [](auto block, auto, auto to) {
        tg::unroll<24>([&](auto e) {
          const auto at = sums::place_of(block.warpgroup().thread, e);
          to(block.thread.x + e * tg::constant<128>{}) = at.row * 100u + at.column;
        });
      },
      std::vector<unsigned>(128 * 24), 1);
  for (int t = 0; t < 128; ++t)
    for (int e = 0; e < 24; ++e) {
      const auto [row, column] = sums::place(t, e);
      CHECK(y[static_cast<std::size_t>(e * 128 + t)] == static_cast<unsigned>(row * 100 + column));
    }
}

TEST_CASE("what is handed on are the same registers") {
  const auto y = word::run<tg::block_t<128>, float>(
      [](auto block, auto from, auto to) {
        tg::group_accumulator<64, 8, float> one = 2.0f;
        one(1) = from(block.thread.x);
        auto two = std::move(one);
        two(1) += 1.0f;
        two(2) += two(1);
        to(block.thread.x) = two(2);
      },
      std::vector<float>(128, 5.0f));
  for (const float x : y) CHECK(x == 8.0f);
}
