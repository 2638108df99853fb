#include <tg/tile/transposed_tile.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// y = (a * a)^T + a^T, for 64 x 32 and 32 x 64.
constexpr auto transposes = tg::kernel<"transposes">(
    tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> a, tg::out2<float, tg::multiple_of<4>> y) {
      const auto own = tg::load(block, tg::tile_at<64, 32>(tg::sized(a, 64u, 32u), 0_c, 0_c));
      tg::tile_at<32, 64>(tg::sized(y, 32u, 64u), 0_c, 0_c) = tg::transposed(own * own) + tg::transposed(own);
    });

}  // namespace

TEST_CASE("a transposed expression is stored where its rows are columns") {
  tg::device gpu;
  std::mt19937 random(3);
  const tiles::matrix<float> a(64, 32, random, 4);
  tiles::on_device<float> da(gpu, a), dy(gpu, tiles::matrix<float>(32, 64, 4));
  gpu.launch(transposes, tg::grid(1), da.argument(), dy.argument());
  const tiles::matrix<float> y = dy.read();
  double worst = 0;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 32; ++c) worst = std::max(worst, std::abs(y(c, r) - (a(r, c) * a(r, c) + a(r, c))));
  CHECK(worst < 1e-5);
}

TEST_CASE("twice transposed is as it was") {
  using d = tg::sums_spread<64, 32, 4, 1>;
  CHECK(tg::transposed_spread<tg::transposed_spread<d>>::value == d::value);
  CHECK(tg::transposed_spread<d>::value != d::value);
}
