#include <tg/tile/tile_at.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// A rectangle of a matrix from (2, 16) on, one number for each of its rows and one for each of its columns, added up.
constexpr auto cut = tg::kernel<"cut">(
    tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::in<float> of_rows, tg::in<float> of_columns,
                       tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      const auto own = tg::load(block, tg::tile_at<8, 32>(tg::sized(x, m, n), 2u, 16_c));
      tg::tile_at<8, 32>(tg::sized(y, m, n), 2u, 16_c) =
          own + tg::column_at<8>(tg::sized(of_rows, m), 2u) + tg::tile_at<32>(tg::sized(of_columns, n), 16_c);
    });

}  // namespace

TEST_CASE("a rectangle begins where it says, as the numbers of its rows and columns do") {
  tg::device gpu;
  std::mt19937 random(3);
  const unsigned m = 9, n = 45;
  const tiles::matrix<float> x(m, n, random, 4), rows(1, m, random), columns(1, n, random);
  tiles::on_device<float> dx(gpu, x), d_rows(gpu, rows), d_columns(gpu, columns), dy(gpu, tiles::matrix<float>(m, n, 4));
  gpu.launch(cut, tg::grid(1), dx.argument(), d_rows.memory, d_columns.memory, dy.argument(), m, n);
  const tiles::matrix<float> y = dy.read();
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < n; ++c) {
      const bool is_inside = r >= 2 && c >= 16;
      if (!is_inside) CHECK(std::isnan(y(r, c)));  // as it was
      else CHECK(double(y(r, c)) == doctest::Approx(double(x(r, c)) + rows(0, r) + columns(0, c)).epsilon(1e-6));
    }
}

TEST_CASE("what is loaded is spread as tiles that collect it") {
  const std::string text = tg::to_ptx(tg::kernel<"k">(
      tg::block<32>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out2<float, tg::multiple_of<4>> y) {
        const auto part = tg::tile_at<4, 128>(tg::sized(x, 4_c, 128_c), 0_c, 0_c);
        auto sum = tg::full_like_load<float>(block, part, 0.0f);
        sum += tg::load(block, part);
        tg::tile_at<4, 128>(tg::sized(y, 4_c, 128_c), 0_c, 0_c) = sum;
      }));
  CHECK(text.find("shared") == std::string::npos);
}
