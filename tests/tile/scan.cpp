#include <tg/tile/scan.hpp>

#include <cstdint>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/run/run.hpp>

#include "../random_seed.hpp"
#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// Associative, and the order counts: what stands behind replaces what stood before, unless it is 0.
const auto last_but_zero = [](const auto& a, const auto& b) { return tg::select(b != 0, b, a); };

/// Sums along rows and along columns of x and numbers carried along both, twice in a loop.
template <int Rows, int Columns, auto Block, class Spread>
constexpr auto scans =
    tg::kernel<"scans">(Block, [](auto block, tg::in2<int, tg::multiple_of<4>> x, tg::out2<int, tg::multiple_of<4>> along,
                                  tg::out2<int, tg::multiple_of<4>> down, tg::out2<int, tg::multiple_of<4>> carried,
                                  tg::out2<int, tg::multiple_of<4>> sunk) {
      const auto of = [](const auto& view) {
        return tg::tile_at<Rows, Columns>(tg::sized(view, tg::constant<Rows>{}, tg::constant<Columns>{}), 0_c, 0_c);
      };
      const auto own = tg::eval(Spread::of(block, of(x)));
      tg::for_(tg::range(2u), [&](auto) {
        of(along) = tg::row_cumsum(own);
        of(down) = tg::column_cumsum(own);
        of(carried) = tg::scan<tg::axis::row>(own, last_but_zero);
        of(sunk) = tg::scan<tg::axis::column>(own, last_but_zero);
      });
    });

struct loaded {
  template <class Block, class Part> static auto of(const Block& block, const Part& part) { return tg::load(block, part); }
};
template <class Like> struct spread_as {
  template <class Block, class Part> static auto of(const Block& block, const Part& part) {
    return tg::spread_like(tg::load(block, part), Like::template like<Part>(block));
  }
};
struct sums {
  template <class Part> static auto like(const auto& block) { return tg::zeros<float, Part::rows, Part::columns>(block); }
};
struct square {
  template <class Part> static auto like(const auto& block) {
    return tg::zeros<float, Part::rows, Part::columns>(tg::warps<2, 2>(block));
  }
};
struct cores {
  template <class Part> static auto like(const auto& block) {
    return tg::zeros<float, Part::rows, Part::columns>(tg::warps<2, 2, tg::cuda_cores>(block));
  }
};
struct turned {
  template <class Part> static auto like(const auto& block) {
    return tg::transposed(tg::zeros<float, Part::columns, Part::rows>(block));
  }
};

template <int Rows, int Columns, auto Block, class Spread> void check() {
  static std::mt19937 random(random_seed());
  tiles::matrix<int> x(Rows, Columns, 4);
  for (unsigned r = 0; r < Rows; ++r)
    for (unsigned c = 0; c < Columns; ++c) x(r, c) = random() % 3 == 0 ? static_cast<int>(random() % 1000) - 500 : 0;
  tg::device gpu;
  tiles::on_device<int> dx(gpu, x), along(gpu, tiles::matrix<int>(Rows, Columns, 4)),
      down(gpu, tiles::matrix<int>(Rows, Columns, 4)), carried(gpu, tiles::matrix<int>(Rows, Columns, 4)),
      sunk(gpu, tiles::matrix<int>(Rows, Columns, 4));
  auto how = tg::emulator::launch_options();
  const auto before = how;
  how.check = tg::emulator::check::checkers::all();
  tg::emulator::set_launch_options(how);
  gpu.launch(scans<Rows, Columns, Block, Spread>, tg::grid(1), dx.argument(), along.argument(), down.argument(),
             carried.argument(), sunk.argument());
  tg::emulator::set_launch_options(before);
  const auto a = along.read(), d = down.read(), k = carried.read(), s = sunk.read();
  unsigned wrong = 0;
  std::vector<int> below(Columns), left(Columns);
  for (unsigned r = 0; r < Rows; ++r) {
    int sum = 0, last = 0;
    for (unsigned c = 0; c < Columns; ++c) {
      const int own = static_cast<int>(std::as_const(x)(r, c));
      sum += own, below[c] += own;
      if (own != 0) last = left[c] = own;
      wrong += a(r, c) != sum || d(r, c) != below[c] || k(r, c) != last || s(r, c) != left[c];
    }
  }
  CAPTURE(Rows);
  CAPTURE(Columns);
  CHECK(wrong == 0);
}

constexpr auto block = tg::block<128>;
constexpr auto hopper = tg::block<256> | tg::for_sm<90>;

}  // namespace

TEST_CASE("each element and those before it, of tiles that are spread in every way") {
  check<64, 64, block, loaded>();
  check<64, 16, block, loaded>();
  check<8, 256, block, loaded>();
  check<64, 64, block, spread_as<sums>>();
  check<128, 32, block, spread_as<sums>>();
  check<64, 64, block, spread_as<square>>();
  check<32, 128, block, spread_as<square>>();
  check<64, 128, block, spread_as<cores>>();
  check<64, 64, block, spread_as<turned>>();
  check<128, 64, hopper,
        spread_as<sums>>();  // rows of a warpgroup: steps of 1, 2, 4, 8, 16 and 32 among lanes, registers and warps
  check<256, 32, hopper, spread_as<sums>>();
}

TEST_CASE("scans are proved, one in a loop by itself too") {
  const auto alone =
      tg::kernel<"alone">(block, [](auto block, tg::out2<int, tg::multiple_of<4>> y, tg::scalar<unsigned> turns) {
        auto sum = tg::zeros<int, 64, 64>(block);
        tg::for_(tg::range(turns), [&](auto) { sum = tg::column_cumsum(sum + 1); });
        tg::tile_at<64, 64>(tg::sized(y, 64_c, 64_c), 0_c, 0_c) = sum;
      });
  for (const auto& found : {tg::analyze(scans<64, 64, block, spread_as<square>>), tg::analyze(alone)}) {
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.unknown().empty());
  }
}

TEST_CASE("a function of a scan may give a variable") {
  constexpr auto kernel = tg::kernel<"peaks">(block, [](auto block, tg::out2<int, tg::multiple_of<4>> y) {
    const auto own = tg::eval(tg::zeros<int, 64, 64>(block) + tg::cast<int>(tg::columns_of(tg::zeros<int, 64, 64>(block), 0u)));
    tg::tile_at<64, 64>(tg::sized(y, 64_c, 64_c), 0_c, 0_c) = tg::scan<tg::axis::row>(own, [](auto a, auto b) {
      tg::var<int> out = a;
      out += b;
      return out;
    });
  });
  tg::device gpu;
  tiles::on_device<int> dy(gpu, tiles::matrix<int>(64, 64, 4));
  gpu.launch(kernel, tg::grid(1), dy.argument());
  const tiles::matrix<int> y = dy.read();
  unsigned wrong = 0;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 64; ++c) wrong += y(r, c) != c * (c + 1) / 2;
  CHECK(wrong == 0);
}
