#include <tg/tile/for_each.hpp>

#include <vector>

#include "../random_seed.hpp"
#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// counts(e) is how often e is in x, and places(e) the sum of row * Columns + column of them; of rows, sums of x are counted
/// too, each once, although several threads hold them.
template <int Rows, int Columns, auto Block, class Team>
constexpr auto counted =
    tg::kernel<"counted">(Block, [](auto block, tg::in2<unsigned, tg::multiple_of<4>> x, tg::inout<unsigned> counts,
                                    tg::inout<unsigned> places, tg::inout<unsigned> of_rows) {
      const auto part = tg::tile_at<Rows, Columns>(tg::sized(x, tg::constant<Rows>{}, tg::constant<Columns>{}), 0_c, 0_c);
      const auto own = tg::eval(Team::of(block, part));
      tg::for_each(own, [&](auto row, auto column, auto e) {
        tg::atomic_add(counts(tg::scatter(e)), 1u);
        tg::atomic_add(places(tg::scatter(e)), row * tg::constant<Columns>{} + column);
      });
      tg::for_each(tg::row_sum(own) + 0u, [&](auto row, auto, auto sum) { tg::atomic_add(of_rows(row), sum); });
    });

struct loaded {
  static auto of(const auto& block, const auto& part) { return tg::load(block, part); }
};
struct as_sums {
  template <class Part> static auto of(const auto& block, const Part& part) {
    return tg::spread_like(tg::load(block, part), tg::zeros<float, Part::rows, Part::columns>(tg::warps<2, 2>(block)));
  }
};

template <int Rows, int Columns, auto Block, class Team> void check() {
  static std::mt19937 random(random_seed());
  tiles::matrix<unsigned> x(Rows, Columns, 4);
  std::vector<unsigned> counts(8), places(8), rows(Rows);
  for (unsigned r = 0; r < Rows; ++r)
    for (unsigned c = 0; c < Columns; ++c) {
      const unsigned e = random() % 8;
      x(r, c) = e;
      ++counts[e], places[e] += r * Columns + c, rows[r] += e;
    }
  tg::device gpu;
  tiles::on_device<unsigned> dx(gpu, x);
  auto dc = gpu.zeros<unsigned>(8), dp = gpu.zeros<unsigned>(8), dr = gpu.zeros<unsigned>(Rows);
  gpu.launch(counted<Rows, Columns, Block, Team>, tg::grid(1), dx.argument(), dc, dp, dr);
  CHECK(dc.to_host() == counts);
  CHECK(dp.to_host() == places);
  CHECK(dr.to_host() == rows);
}

}  // namespace

TEST_CASE("each element of a tile comes by once, with its place") {
  check<64, 64, tg::block<128>, loaded>();
  check<64, 64, tg::block<128>, as_sums>();
  check<1, 256, tg::block<128>, loaded>();
  check<16, 16, tg::block<256>, loaded>();  // more threads than elements
}
