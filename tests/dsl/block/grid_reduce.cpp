#include <tg/dsl/block/grid_reduce.hpp>

#include <numeric>

#include "../word.hpp"

namespace { using tg::literals::operator""_c; }  // namespace

TEST_CASE("a grid adds up and finds its extremes with one atomic per block") {
  const auto kernel = tg::lower(tg::kernel<"totals">(tg::block<64>, [](auto block, tg::in<int> x, tg::inout<int> y) {
    const auto own = tg::let(x(block.global_index()));
    tg::grid_sum(block, y(0_c), own);
    tg::grid_max(block, y(1_c), own);
    tg::grid_min(block, y(2_c), own);
  }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<int> x(64 * 5), y{0, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()};
  std::mt19937 random{random_seed()};
  for (int& v : x) v = static_cast<int>(random() % 200001) - 100000;
  word::launch(kernel.ptx, 5, x, y);
  CHECK(y == std::vector<int>{std::accumulate(x.begin(), x.end(), 0), *std::max_element(x.begin(), x.end()),
                              *std::min_element(x.begin(), x.end())});
}

TEST_CASE("a C++ number is one that each thread of the grid has, of the type of the element") {
  const auto kernel = tg::lower(tg::kernel<"threads">(tg::block<64>, [](auto block, tg::inout<unsigned> y, tg::inout<float> z) {
    tg::grid_sum(block, y(0_c), 1);
    tg::grid_max(block, y(1_c), 7);
    tg::grid_min(block, y(2_c), 3u);
    tg::grid_sum(block, z(0_c), 0.5f);
  }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<unsigned> y{0, 0, 9};
  std::vector<float> z(1);
  word::launch(kernel.ptx, 5, y, z);
  CHECK(y == std::vector<unsigned>{320, 7, 3});
  CHECK(z[0] == 160.0f);
}

TEST_CASE("the last block finishes in a fixed order, launch after launch") {
  const auto kernel = tg::lower(tg::kernel<"last">(
      tg::block<40>, [](auto block, tg::in<float> x, tg::inout<float> partial, tg::inout<unsigned> ticket, tg::out<float> y) {
        tg::grid_combine(
            block, x(block.global_index()), 0.0f, [](auto a, auto b) { return a + b; }, partial, ticket(0_c),
            [&](auto total) { tg::if_(block.thread.x == 0, [&] { y(0_c) = total; }); });
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  for (const unsigned blocks : {1u, 7u, 90u}) {
    std::vector<float> x(40 * blocks), partial(blocks), y(1);
    std::vector<unsigned> ticket(1);
    std::mt19937 random{random_seed()};
    for (float& v : x) v = static_cast<float>(random() % 1000);
    const float wanted = std::accumulate(x.begin(), x.end(), 0.0f);  // exact: below 2^24
    for (int launch = 0; launch < 2; ++launch) {
      y[0] = -1;
      word::launch(kernel.ptx, blocks, x, partial, ticket, y);
      CHECK(y[0] == wanted);
      CHECK(ticket[0] == 0);
    }
  }
}
