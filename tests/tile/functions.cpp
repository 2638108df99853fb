#include <tg/tile/functions.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;
using out_view = tg::out2<float, tg::multiple_of<8>>;

}  // namespace

TEST_CASE("rows and columns know their numbers") {
  constexpr auto numbers = tg::kernel<"numbers">(tg::block<64>, [](auto block, out_view y) {
    const auto zero = tg::zeros<float, 32, 16>(block);
    tg::tile_at<32, 16>(tg::sized(y, 32u, 16u), 0_c, 0_c) =
        zero + tg::cast<float>(tg::rows_of(zero, 100u)) * 1000.0f + tg::cast<float>(tg::columns_of(zero, 7u));
  });
  tg::device gpu;
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(32, 16));
  gpu.launch(numbers, tg::grid(1), dy.argument());
  const tiles::matrix<float> y = dy.read();
  for (unsigned r = 0; r < 32; ++r)
    for (unsigned c = 0; c < 16; ++c) CHECK(y(r, c) == (100 + r) * 1000.0 + 7 + c);
}
