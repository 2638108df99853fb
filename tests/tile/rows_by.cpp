#include <tg/tile/rows_by.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;
using halves = tg::in2<tg::f16, tg::multiple_of<8>>;

/// y = the rows of x that `places` says, times the transpose of w. 16 x 64 products over k.
template <int Sm>
constexpr auto picked_product = tg::kernel<"picked_product">(
    tg::block<128> | tg::for_sm<Sm>, [](auto block, halves x, halves w, tg::in<unsigned> places,
                                        tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> m, tg::scalar<unsigned> k) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::add_products<3>(
          block, sum, tg::steps(k, 64_c),
          [&](auto at) {
            const auto pick = [&](const auto& row) { return tg::let(places(row)); };
            return tg::stage(tg::rows_by<64, 64>(tg::sized(x, m, k), pick, at),
                             tg::tile_at<64, 64>(tg::sized(w, 64u, k), 0_c, at));
          },
          [](auto rows, auto weights) { return tg::dot(rows, tg::transposed(weights)); });
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = sum;
    });

template <int Sm> void check() {
  tg::device gpu;
  std::mt19937 random(7);
  const unsigned m = 37, k = 136;
  const tiles::matrix<tg::f16> x(m, k, random), w(64, k, random);
  std::vector<unsigned> places(64);
  for (unsigned& row : places) row = random() % (m + 3);
  places[5] = 0xffffffff;
  tiles::on_device<tg::f16> on_x(gpu, x), on_w(gpu, w);
  tiles::on_device<float> on_y(gpu, tiles::matrix<float>(64, 64, 4));
  const auto on_places = gpu.upload(places);
  gpu.launch(picked_product<Sm>, tg::grid(1), on_x.argument(), on_w.argument(), on_places, on_y.argument(), m, k);
  const tiles::matrix<float> y = on_y.read();
  tiles::excess off;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      double wanted = 0, size = 0;
      for (unsigned i = 0; i < k && places[r] < m; ++i) {
        const double term = x(places[r], i) * w(c, i);
        wanted += term, size += std::abs(term);
      }
      off(double(y(r, c)), wanted, k * 0x1p-23 * size);
    }
  CHECK(off.worst <= 1);
}

}  // namespace

TEST_CASE("rows that memory picks are multiplied, and those that there are not count as zeros") { check<80>(); }

TEST_CASE("they lie in panels where wgmma multiplies them") { check<90>(); }
