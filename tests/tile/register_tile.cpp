#include <tg/tile/register_tile.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;
using out_view = tg::out2<float, tg::multiple_of<8>>;

constexpr auto counting = tg::kernel<"counting">(tg::block<128>, [](auto block, out_view y, tg::scalar<unsigned> n) {
  auto sum = tg::full<float, 64, 32>(block, 1.0f);
  auto per_row = tg::full_per_row(sum, 0.5f);
  auto per_column = tg::full_per_column(sum, 0.25f);
  tg::for_(tg::range(n), [&](auto) {
    sum = sum * 2.0f + per_row;
    per_row += 1.0f;
    per_column *= 2.0f;
  });
  sum -= per_column;
  tg::tile_at<64, 32>(tg::sized(y, 64u, 32u), 0_c, 0_c) = sum;
});

}  // namespace

TEST_CASE("tiles change in loops") {
  tg::device gpu;
  for (unsigned n : {0u, 1u, 5u}) {
    tiles::on_device<float> y(gpu, tiles::matrix<float>(64, 32));
    gpu.launch(counting, tg::grid(1), y.argument(), n);
    double sum = 1, per_row = 0.5, per_column = 0.25;
    for (unsigned k = 0; k < n; ++k) sum = sum * 2 + per_row, per_row += 1, per_column *= 2;
    const tiles::matrix<float> found = y.read();
    tiles::excess excess;
    for (unsigned r = 0; r < 64; ++r)
      for (unsigned c = 0; c < 32; ++c) excess(found(r, c), sum - per_column, 0);
    CHECK(excess.worst == 0);
  }
}
