#include <tg/tile/memory_tile.hpp>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/tile/reduce.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// A copy of a matrix by rectangles of Rows x Columns, from views whose rows promise `Multiple`.
template <class T, int Rows, int Columns, int Multiple>
constexpr auto copies = tg::kernel<"copies">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<Multiple>> x, tg::out2<T, tg::multiple_of<Multiple>> y,
                       tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      const auto row = block.index.y * tg::constant<Rows>{};
      const auto column = block.index.x * tg::constant<Columns>{};
      tg::tile_at<Rows, Columns>(tg::sized(y, m, n), row, column) =
          tg::load(block, tg::tile_at<Rows, Columns>(tg::sized(x, m, n), row, column));
    });

template <class T, int Rows, int Columns, int Multiple> void check_copies() {
  tg::device gpu;
  std::mt19937 random(5);
  for (unsigned m : {1u, unsigned(Rows - 1), unsigned(Rows), unsigned(Rows + 1), 2u * Rows, 37u})
    for (unsigned n : {1u, unsigned(Columns - 1), unsigned(Columns), unsigned(Columns + 1), 2u * Columns, 101u}) {
      if (m == 0 || n == 0) continue;
      const tiles::matrix<T> x(m, n, random, Multiple);
      tiles::on_device<T> dx(gpu, x), dy(gpu, tiles::matrix<T>(m, n, Multiple));
      gpu.launch(copies<T, Rows, Columns, Multiple>, tg::grid((n + Columns - 1) / Columns, (m + Rows - 1) / Rows),
                 dx.argument(), dy.argument(), m, n);
      const tiles::matrix<T> y = dy.read();
      bool is_same = true;
      for (unsigned r = 0; r < m; ++r)
        for (unsigned c = 0; c < n; ++c) is_same = is_same && x(r, c) == y(r, c);
      CAPTURE(m);
      CAPTURE(n);
      CHECK(is_same);
    }
}

}  // namespace

TEST_CASE("rectangles are copied to the last row and column, and nothing outside is written") {
  check_copies<float, 8, 128, 4>();
  check_copies<float, 4, 256, 1>();  // no vectors: rows begin anywhere
  check_copies<tg::bf16, 16, 64, 8>();
}

TEST_CASE("a rectangle inside is read and written in vectors") {
  const std::string text = tg::to_ptx(copies<tg::bf16, 16, 64, 8>);
  CHECK(text.find("ld.global.nc.v4.b32") != std::string::npos);
  CHECK(text.find("st.global.v4.b32") != std::string::npos);
}

namespace {

/// The sum of each row, which several threads hold.
constexpr auto sums_of_rows = tg::kernel<"sums_of_rows">(
    tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> sums, tg::scalar<unsigned> m) {
      const auto first = tg::let(block.index.x * 16_c);
      const auto own = tg::load(block, tg::tile_at<16, 64>(tg::sized(x, m, 64u), first, 0_c));
      tg::column_at<16>(tg::sized(sums, m), first) = tg::row_sum(own);
    });

}  // namespace

TEST_CASE("what several threads hold is stored by one of them") {
  CHECK(tg::analyze(sums_of_rows).refuted().empty());
  tg::device gpu;
  std::mt19937 random(6);
  for (const unsigned m : {1u, 15u, 16u, 17u, 32u, 37u}) {
    CAPTURE(m);
    const tiles::matrix<float> x(m, 64, random, 4);
    tiles::on_device<float> dx(gpu, x);
    auto sums = gpu.upload(std::vector<float>(m, 777.0f));
    gpu.launch(sums_of_rows, tg::grid((m + 15) / 16), dx.argument(), sums, m);
    const std::vector<float> found = sums.to_host();
    for (unsigned r = 0; r < m; ++r) {
      double wanted = 0;
      for (unsigned c = 0; c < 64; ++c) wanted += x(r, c);
      CHECK(std::abs(found[r] - wanted) <= 1e-4);
    }
  }
}
