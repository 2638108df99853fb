#include <tg/tile/tree.hpp>

#include <tg/dsl/kernel/lower.hpp>

#include "../unqualified.hpp"
#include "tiles.hpp"

namespace {

using namespace tg::literals;
using view = tg::in2<float, tg::multiple_of<8>>;
using out_view = tg::out2<float, tg::multiple_of<8>>;

/// `f` of two tiles, a row, a column and a number.
template <class F> float check_tree(F f, double (*host)(double, double, double, double)) {
  constexpr auto kernel =
      tg::kernel<"tree">(tg::block<64>, [](auto block, view a, view b, tg::in<float> rows, tg::in<float> columns, out_view y,
                                           tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
        const auto top = block.index.x * 8_c;
        const auto x = tg::load(block, tg::tile_at<8, 64>(tg::sized(a, m, n), top, 0_c));
        const auto of_column = tg::tile_at<64>(tg::sized(columns, n), 0_c);
        const auto of_row = tg::column_at<8>(tg::sized(rows, m), top);
        tg::tile_at<8, 64>(tg::sized(y, m, n), top, 0_c) =
            F{}(x, tg::tile_at<8, 64>(tg::sized(b, m, n), top, 0_c), of_row, of_column);
      });
  (void)f;
  tg::device gpu;
  std::mt19937 random(7);
  tiles::excess excess;
  for (auto [m, n] : {std::pair{8u, 64u}, {1u, 1u}, {7u, 61u}, {17u, 63u}}) {
    const tiles::matrix<float> a(m, n, random), b(m, n, random), rows(1, m, random, 1), columns(1, n, random, 1);
    tiles::on_device<float> da(gpu, a), db(gpu, b), dr(gpu, rows), dc(gpu, columns), dy(gpu, tiles::matrix<float>(m, n));
    gpu.launch(kernel, tg::grid((m + 7) / 8), da.argument(), db.argument(), dr.memory, dc.memory, dy.argument(), m, n);
    const tiles::matrix<float> y = dy.read();
    for (unsigned r = 0; r < m; ++r)
      for (unsigned c = 0; c < n; ++c) {
        const double wanted = host(a(r, c), b(r, c), rows(0, r), columns(0, c));
        excess(y(r, c), wanted, 1e-6 * (std::abs(wanted) + 4));
      }
  }
  return static_cast<float>(excess.worst);
}

}  // namespace

TEST_CASE("operators compute element by element, and rows, columns and numbers stand for all") {
  CHECK(check_tree([](auto a, auto b, auto row, auto column) { return (a + b) * row - column * 0.5f; },
                   [](double a, double b, double row, double column) { return (a + b) * row - column * 0.5; }) <= 1);
  CHECK(check_tree([](auto a, auto b, auto row, auto column) { return -a + row - 2.0f * (b + column); },
                   [](double a, double b, double row, double column) { return -a + row - 2 * (b + column); }) <= 1);
  CHECK(check_tree([](auto a, auto b, auto row, auto) { return tg::where(a < b && !(row > 0.0f), a, b * b); },
                   [](double a, double b, double row, double) { return a < b && row <= 0 ? a : b * b; }) <= 1);
}

TEST_CASE("a tree that computes something else is found") {
  CHECK(check_tree([](auto a, auto b, auto, auto) { return a + b; }, [](double a, double b, double, double) { return a - b; }) >
        1);
}

TEST_CASE("functions of the user's own are mapped over elements") {
  CHECK(check_tree(
            [](auto a, auto b, auto row, auto column) {
              return tg::map([](auto x, auto y, auto r, auto c) { return tg::fma(x, y, r) * c; }, a, b, row, column);
            },
            [](double a, double b, double row, double column) { return (a * b + row) * column; }) <= 1);
}

TEST_CASE("a tree that reads a tile which has changed since is refused") {
  constexpr auto stale = tg::kernel<"stale">(tg::block<64>, [](auto block, out_view y) {
    auto sum = tg::zeros<float, 32, 64>(block);
    const auto later = sum + 1.0f;
    sum = sum + 2.0f;
    tg::tile_at<32, 64>(tg::sized(y, 32u, 64u), 0_c, 0_c) = later;
  });
  try {
    (void)tg::to_ptx(stale);
    FAIL("no error");
  } catch (const tg::error& e) {
    CHECK(static_cast<int>(e.code()) == 603);
    CHECK(std::string(e.what()).find("tg::eval") != std::string::npos);
  }
  constexpr auto named = tg::kernel<"named">(tg::block<64>, [](auto block, out_view y) {
    auto sum = tg::zeros<float, 32, 64>(block);
    const auto now = tg::eval(sum + 1.0f);
    sum = sum + 2.0f;
    tg::tile_at<32, 64>(tg::sized(y, 32u, 64u), 0_c, 0_c) = now;
  });
  CHECK(!tg::to_ptx(named).empty());
}

TEST_CASE("a tree that reads a rectangle of a view which has been assigned since is refused") {
  using view = tg::inout2<float, tg::multiple_of<4>>;
  // `Named`: the value is named before the view changes. `Other`: it is another view that changes.
  const auto record = []<bool Named, bool Other>(std::bool_constant<Named>, std::bool_constant<Other>) {
    (void)tg::to_ptx(tg::kernel<"rectangles">(tg::block<64>, [](auto block, view x, view y) {
      const auto at = [](const auto& v) { return tg::tile_at<32, 64>(tg::sized(v, 32u, 64u), 0_c, 0_c); };
      const auto sum = tg::zeros<float, 32, 64>(block);
      const auto later = [&] {
        if constexpr (Named) return tg::eval(at(x) * 2.0f + sum);
        else return at(x) * 2.0f + sum;
      }();
      if constexpr (Other) at(y) = sum;
      else at(x) = sum;
      at(y) = later;
      at(y) = at(y) * 2.0f + sum;
    }));
  };
  CHECK_THROWS_WITH_AS(record(std::false_type{}, std::false_type{}), doctest::Contains("TG603"), tg::error);
  CHECK_NOTHROW(record(std::true_type{}, std::false_type{}));
  CHECK_NOTHROW(record(std::false_type{}, std::true_type{}));
}

TEST_CASE("a user's functions of tiles do not meet those of tg::detail") {
  constexpr auto kernel = tg::kernel<"own_functions">(tg::block<64>, [](auto block, view x, out_view y) {
    const auto tile = tg::zeros<float, 32, 16>(block);
    const auto loaded = tg::load(block, tg::tile_at<32, 16>(tg::sized(x, 32u, 16u), 0_c, 0_c));
    tg::tile_at<32, 16>(tg::sized(y, 32u, 16u), 0_c, 0_c) = loaded * 2.0f;
    using unqualified::require_no_detail;
    require_no_detail(tile, loaded, tile + 1.0f, tg::exp(tile) * 2.0f, -tile, tile < 1.0f, tg::max(tile, 1.0f));
    require_no_detail(tg::tile_at<32, 16>(tg::sized(x, 32u, 16u), 0_c, 0_c), tg::cast<tg::bf16>(tile));
    require_no_detail(tg::row_sum(tile), tg::rows_of(tile, 7u), tg::transposed(tile), tg::eval(tile + 1.0f));
  });
  (void)tg::lower(kernel);
}
